"""Faces in pictures, as suggestions with a box and no text.  Pixels in, boxes out; decision 0006 says with which model.

pictures of a page → views at two sizes (looks) → faces (network) → whole heads (heads) → suggestions
"""

from .pipeline import Faces, find_faces
from .tasks import FIND_FACES, FacesFound, FindFacesArgs

__all__ = ["FIND_FACES", "Faces", "FacesFound", "FindFacesArgs", "find_faces"]
