import { ModelViewerElement } from '@google/model-viewer'

// Decoders would come from elsewhere, and no request leaves the machine: models that need one are refused beforehand.
const nowhere = 'data:,'
ModelViewerElement.dracoDecoderLocation = nowhere
ModelViewerElement.ktx2TranscoderLocation = nowhere
