import { Unavailable } from '../../../application/ports/unavailable.js'
import type { DecodedImage } from './decode.js'
import { startDecodingProcess, type DecodingProcess } from './decoding-process.js'
import { decodingLimits } from './limits.js'
import type { Decoding, Outcome } from './messages.js'

export interface DecoderSettings {
  /** The program of the process: `decoding/worker.js` as it is compiled. */
  readonly program: URL
  readonly time_ms_max?: number
  readonly memory_MB_max?: number
}

/** Decodes images in a process of their own, one at a time. */
export interface Decoder {
  /** Undefined for what can not be read, or not within the limits of time and memory. Rejects with Unavailable where too many wait. */
  decode(bytes: Uint8Array): Promise<DecodedImage | undefined>
  /** Ends the process; what is under way rejects with Unavailable. */
  close(): Promise<void>
}

const waiting_max = 64

interface LineSettings extends Required<DecoderSettings> {
  readonly heap_MB_max: number
}

interface Job {
  readonly decoding: Decoding
  readonly resolve: (image: DecodedImage | undefined) => void
  readonly reject: (error: Unavailable) => void
}

/** The process is started by the first image, and again by the next one after it had to be ended. */
export function openDecoder(settings: DecoderSettings): Decoder {
  const line = new DecodingLine({ ...decodingLimits, ...settings })
  return { decode: (bytes) => line.join(bytes), close: () => line.close() }
}

/** Images that wait for the process, and the one that it works on. */
class DecodingLine {
  readonly #settings: LineSettings
  readonly #waiting: Job[] = []
  #process: DecodingProcess | undefined
  #atWork: { readonly job: Job; readonly timeout: NodeJS.Timeout } | undefined
  #last = 0
  #isClosed = false

  constructor(settings: LineSettings) {
    this.#settings = settings
  }

  join(bytes: Uint8Array): Promise<DecodedImage | undefined> {
    if (this.#isClosed) return Promise.reject(new Unavailable('images are not read any more'))
    if (this.#waiting.length >= waiting_max) {
      return Promise.reject(new Unavailable(`${waiting_max} images wait to be read`))
    }
    return new Promise((resolve, reject) => {
      this.#last += 1
      this.#waiting.push({ decoding: { id: this.#last, bytes }, resolve, reject })
      this.#takeNext()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const left = [...(this.#atWork ? [this.#atWork.job] : []), ...this.#waiting.splice(0)]
    clearTimeout(this.#atWork?.timeout)
    this.#atWork = undefined
    for (const { reject } of left) reject(new Unavailable('images are not read any more'))
    await this.#endProcess()
  }

  #takeNext(): void {
    const job = this.#atWork ? undefined : this.#waiting.shift()
    if (!job) return
    this.#atWork = { job, timeout: setTimeout(() => this.#giveUp(), this.#settings.time_ms_max) }
    this.#process ??= this.#startProcess()
    this.#process.ask(job.decoding)
  }

  #startProcess(): DecodingProcess {
    const started = startDecodingProcess({
      ...this.#settings,
      onOutcome: (outcome: Outcome) => {
        if (outcome.id !== this.#atWork?.job.decoding.id) return
        this.#finish(outcome.outcome === 'decoded' ? outcome.image : undefined)
      },
      onEnd: () => {
        if (started === this.#process) this.#giveUp()
      },
    })
    return started
  }

  /** Whatever an image did to its process, it is the image that can't be read. */
  #giveUp(): void {
    void this.#endProcess()
    this.#finish(undefined)
  }

  async #endProcess(): Promise<void> {
    const ended = this.#process
    this.#process = undefined
    await ended?.end()
  }

  #finish(image: DecodedImage | undefined): void {
    if (!this.#atWork) return
    clearTimeout(this.#atWork.timeout)
    const { job } = this.#atWork
    this.#atWork = undefined
    job.resolve(image)
    this.#takeNext()
  }
}
