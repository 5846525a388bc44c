import { decode } from './decode.ts'
import { look } from './look.ts'
import type { Decoding, Outcome, Result } from './messages.ts'
import { TooLargeImage, UnreadableImage } from './unreadable-image.ts'

/** A process that decodes one image after another. If an image breaks it, only that image's request fails. */
if (!process.send) throw new Error('this module is the program of a process that another one starts')
process.on('message', (decoding: Decoding) => {
  void answer(decoding).then((outcome) => process.send?.(outcome))
})
// The parent process is gone.
process.on('disconnect', () => process.exit())

async function answer({ id, ...asked }: Decoding): Promise<Outcome> {
  const before = process.cpuUsage()
  try {
    const result: Result =
      'path' in asked
        ? { outcome: 'seen', picture: await look(asked.path) }
        : { outcome: 'decoded', image: await decode(Buffer.from(asked.bytes)) }
    return { id, ...result, processor_ms: processorSince(before) }
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    const outcome = error instanceof TooLargeImage ? 'too large' : 'unreadable'
    return { id, outcome, processor_ms: processorSince(before) }
  }
}

function processorSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
