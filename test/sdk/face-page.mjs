import '../web/browser/page.ts'
import ImageFace from '@blockv/sdk/face/faces/ImageFace.js'
import ImagePolicy from '@blockv/sdk/face/faces/ImagePolicy.js'
import LayeredImage from '@blockv/sdk/face/faces/LayeredImage.js'
import ProgressImage from '@blockv/sdk/face/faces/ProgressImage.js'
import BridgeV1 from '@blockv/sdk/face/faces/WebFace/BridgeV1.js'

/** As in the SDK's registry of faces. */
const faces = {
  'native://image': ImageFace,
  'native://progress-image-overlay': ProgressImage,
  'native://image-policy': ImagePolicy,
  'native://layered-image': LayeredImage,
}

const modelOf = (record) => ({
  id: record.id,
  properties: record['vAtom::vAtomType'],
  private: record.private,
  payload: record,
})

/** What faces use of the SDK. */
const blockvWith = (children) => ({
  store: { userID: null },
  UserManager: { encodeAssetProvider: (url) => url },
  dataPool: { region: () => ({ get: () => children.map(modelOf) }) },
})

/** A face of the SDK for a request as our renderer takes it, whose children name their parent. */
function faceFor({ vatom, children, faces: [properties] }) {
  const Face = faces[properties.display_url]
  return new Face({ vatom: modelOf(vatom), blockv: blockvWith(children) }, undefined, { properties })
}

window.sdkFaces = {
  /** Draws a face as the SDK does, instead of what is shown; resolves with the reason if it cannot. */
  async show(request) {
    window.faces.clear()
    const face = faceFor(request)
    document.querySelector('main').replaceChildren(face.element)
    try {
      await face.onLoad()
    } catch (error) {
      return String(error)
    }
  },
  clear: () => document.querySelector('main').replaceChildren(),
  policyUrl({ vatom, children, faces: [properties] }) {
    return ImagePolicy.imageURL(blockvWith(children), modelOf(vatom), { properties })
  },
  init: ({ vatom, faces: [properties] }) => new BridgeV1(blockvWith([]), modelOf(vatom), { properties }).init(),
}
