import { fairQueue, turnOf } from '../../../application/commands/fair-queue.ts'
import { rejectWith } from '../../../application/commands/refused.ts'
import type { Asker, Turn } from '../../../application/ports/asker.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { hasBinarySignature } from '../formats/image-format.ts'
import type { SeenPicture } from '../../../application/ports/attachments.ts'
import type { NotRead } from '../../../application/ports/images.ts'
import type { DecodedImage } from './decode.ts'
import { startDecodingProcess, type DecodingProcess } from './decoding-process.ts'
import { decodingLimits } from './limits.ts'
import type { Asked, Decoding, Outcome, Result } from './messages.ts'
import { noProcessorBudgets, type ProcessorBudget } from './processor-budget.ts'

export interface DecoderSettings {
  /** The program of the process: `decoding/worker.js`, or its source. */
  readonly program: URL
  readonly time_ms_max?: number
  readonly svgTime_ms_max?: number
  readonly memory_MB_max?: number
  /** How much processor time an account's images may take. If absent, there is no limit. */
  readonly budgets?: ProcessorBudget
}

/** Decodes images in a separate process, one at a time. Senders take turns. */
export interface Decoder {
  /**
   * `unreadable` also for an image that can't be read within the limits on time and memory. Rejects with Unavailable if too
   * many wait, and refuses with RATE_LIMITED an account that has spent its `processorBudget`.
   */
  decode(bytes: Uint8Array, asker: Asker): Promise<DecodedImage | NotRead>
  /** What a picture on the disk looks like; undefined if it can't be read within the limits. Rejects and refuses as `decode` does. */
  look(path: string, asker: Asker): Promise<SeenPicture | undefined>
  /** Ends the process. Decoding under way rejects with Unavailable. */
  close(): Promise<void>
}

const waiting_max = 64

interface QueueSettings extends Required<DecoderSettings> {
  readonly heap_MB_max: number
}

interface Job {
  readonly turn: Turn
  readonly time_ms_max: number
  readonly decoding: Decoding
  readonly resolve: (result: Result) => void
  readonly reject: (error: Unavailable) => void
}

/** The first image starts the process. After the process had to be ended, the next image starts it again. */
export function openDecoder(settings: DecoderSettings): Decoder {
  const queue = new DecodingQueue({ budgets: noProcessorBudgets, ...decodingLimits, ...settings })
  return {
    async decode(bytes, asker) {
      const result = await queue.join({ bytes }, mayBeSvg(bytes), turnOf(asker))
      if (result.outcome === 'seen') throw new Error('An image was to be decoded, and was looked at')
      return result.outcome === 'decoded' ? result.image : result.outcome
    },
    async look(path, asker) {
      const result = await queue.join({ path }, false, turnOf(asker))
      return result.outcome === 'seen' ? result.picture : undefined
    },
    close: () => queue.close(),
  }
}

function mayBeSvg(bytes: Uint8Array): boolean {
  return !hasBinarySignature(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** The images that wait for the process, and the one that it works on. */
class DecodingQueue {
  readonly #settings: QueueSettings
  readonly #waiting = fairQueue<Job>(waiting_max)
  #process: DecodingProcess | undefined
  #atWork: { readonly job: Job; readonly began_ms: number; readonly timeout: NodeJS.Timeout } | undefined
  #last = 0
  #isClosed = false

  constructor(settings: QueueSettings) {
    this.#settings = settings
  }

  async join(asked: Asked, isShort: boolean, turn: Turn): Promise<Result> {
    if (this.#isClosed) throw new Unavailable('images are not read any more')
    const wait_ms = this.#settings.budgets.wait_ms(turn.account)
    if (wait_ms > 0) rejectWith('RATE_LIMITED', { global: false, retry_after: Math.ceil(wait_ms) / 1000 })
    const { svgTime_ms_max, time_ms_max } = this.#settings
    return new Promise((resolve, reject) => {
      this.#last += 1
      const job = {
        turn,
        time_ms_max: isShort ? Math.min(svgTime_ms_max, time_ms_max) : time_ms_max,
        decoding: { ...asked, id: this.#last },
        resolve,
        reject,
      }
      this.#waiting.push(turn, job)?.reject(new Unavailable(`${waiting_max} images wait to be read`))
      this.#takeNext()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const left = this.#atWork ? [this.#atWork.job] : []
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) left.push(job)
    clearTimeout(this.#atWork?.timeout)
    this.#atWork = undefined
    for (const { reject } of left) reject(new Unavailable('images are not read any more'))
    await this.#endProcess()
  }

  #takeNext(): void {
    const job = this.#atWork ? undefined : this.#waiting.shift()
    if (!job) return
    this.#atWork = {
      job,
      began_ms: performance.now(),
      timeout: setTimeout(() => this.#giveUp(), job.time_ms_max),
    }
    this.#process ??= this.#startProcess()
    this.#process.ask(job.decoding)
  }

  #startProcess(): DecodingProcess {
    const started = startDecodingProcess({
      ...this.#settings,
      onOutcome: (outcome: Outcome) => {
        if (outcome.id !== this.#atWork?.job.decoding.id) return
        this.#finish(outcome, outcome.processor_ms)
      },
      onEnd: () => {
        if (started === this.#process) this.#giveUp()
      },
    })
    return started
  }

  /** However an image broke its process, that image counts as unreadable. */
  #giveUp(): void {
    void this.#endProcess()
    if (this.#atWork) this.#finish({ outcome: 'unreadable' }, performance.now() - this.#atWork.began_ms)
  }

  async #endProcess(): Promise<void> {
    const ended = this.#process
    this.#process = undefined
    await ended?.end()
  }

  #finish(result: Result, processor_ms: number): void {
    if (!this.#atWork) return
    clearTimeout(this.#atWork.timeout)
    const { job } = this.#atWork
    this.#waiting.charge(job.turn, processor_ms)
    this.#settings.budgets.charge(job.turn.account, processor_ms)
    this.#atWork = undefined
    job.resolve(result)
    this.#takeNext()
  }
}
