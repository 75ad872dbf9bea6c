"""A second try at loading a model whose converter left the extents of its inputs open.

Keras leaves the batch open and stores 1 for it in each shape. Behind SPACE_TO_BATCH_ND, which a
dilated convolution becomes, the batch is more. So the stored shapes do not agree. All of them
follow from the stored shapes of the inputs. Imported where loading has failed, and nowhere else.
"""

from ..base.errors import ModelError
from ..base.heap import threshold
from ..base.port import collect, const, service
from ..file.flatbuffer import follow, ints, table
from ..schema import OP_WHILE

_GARBAGE = const(1024)  # bytes at which garbage is collected
_SHAPE_SIGNATURE = const(7)  # field of a tensor: its shape, with -1 for each open extent


def settled(model, error):
    """Return a view of *model* in which all shapes follow from the inputs' stored shapes.

    error  the ModelError of loading it. It is raised where the view would be no other model
    """
    view = None
    if is_open(model):
        before = threshold()
        try:
            collect()  # what the first try left: what lasts takes its place
            threshold(_GARBAGE)
            view = service("resizing").settled(model)
            collect()
        except ModelError:
            pass  # the first error says more
        except ImportError:
            raise ModelError(
                "%s; the batch was left open: tflm resize, batch_size=1 in Keras, or firmware"
                " with resizing in TFLM_OPS" % error
            ) from None
        finally:
            threshold(before)
    if view is not None:
        return view
    is_loose = [1 for graph in model.subgraphs if graph.loose]  # then constants= may be the cause
    if not is_loose and OP_WHILE in [opcode[0] for opcode in model.opcodes]:
        raise ModelError(
            "%s; if a recurrent layer made the loop: tflm convert, or unroll=True in Keras" % error
        ) from None
    raise error


def is_open(model):
    """Tell whether an extent of an input of *model*, which was verified, is open."""
    graph, buf = model.subgraphs[0], model.buf
    try:
        for index in graph.inputs:
            fields = table(buf, follow(buf, graph.places[0] + 4 * index), _SHAPE_SIGNATURE + 1)
            if -1 in ints(buf, fields[_SHAPE_SIGNATURE]):
                return True
    except ValueError:
        pass  # nobody verifies this field
    return False
