import { decode } from './decode.js'
import type { Decoding, Outcome } from './messages.js'
import { UnreadableImage } from './unreadable-image.js'

/** A process that decodes one image after another. What breaks it breaks no other request than the one it works for. */
if (!process.send) throw new Error('this module is the program of a process that another one starts')
process.on('message', (decoding: Decoding) => {
  void answer(decoding).then((outcome) => process.send?.(outcome))
})
// Nobody waits for it any more.
process.on('disconnect', () => process.exit())

async function answer({ id, bytes }: Decoding): Promise<Outcome> {
  try {
    return { id, outcome: 'decoded', image: await decode(Buffer.from(bytes)) }
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    return { id, outcome: 'unreadable' }
  }
}
