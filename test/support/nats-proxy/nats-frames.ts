/** One thing that a NATS server says: a line, with what it carries. */
export interface NatsFrame {
  /** The words of the line. */
  readonly words: readonly string[]
  /** Headers and payload; undefined for a line that carries nothing. */
  readonly carried: Buffer | undefined
}

/** What one frame may take, far above what a server lets through. */
const frame_bytes_max = 16 * 1024 * 1024
const lineEnd = '\r\n'

/** Cuts what a server says into frames, whatever pieces it comes in. Throws where it is not NATS, or a frame has no end. */
export function natsFrames(take: (frame: NatsFrame) => void): (chunk: Buffer) => void {
  let kept: Buffer = Buffer.alloc(0)
  return (chunk) => {
    kept = kept.byteLength === 0 ? chunk : Buffer.concat([kept, chunk])
    for (let next = frameIn(kept); next; next = frameIn(kept)) {
      kept = kept.subarray(next.end)
      take(next.frame)
    }
    if (kept.byteLength > frame_bytes_max) throw new Error(`A frame of NATS above ${frame_bytes_max} bytes`)
  }
}

function frameIn(bytes: Buffer): { readonly frame: NatsFrame; readonly end: number } | undefined {
  const line = bytes.indexOf(lineEnd)
  if (line < 0) return undefined
  const words = bytes.toString('utf8', 0, line).split(' ')
  const start = line + lineEnd.length
  if (words[0] !== 'MSG' && words[0] !== 'HMSG') return { frame: { words, carried: undefined }, end: start }
  const size = Number(words.at(-1))
  if (!Number.isInteger(size)) throw new Error(`No frame of NATS: ${words.join(' ')}`)
  const end = start + size + lineEnd.length
  return bytes.byteLength < end ? undefined : { frame: { words, carried: bytes.subarray(start, start + size) }, end }
}

/** A frame as it goes over the wire. */
export function frameBytes({ words, carried }: NatsFrame): Buffer {
  const line = Buffer.from(words.join(' ') + lineEnd)
  return carried ? Buffer.concat([line, carried, Buffer.from(lineEnd)]) : line
}

/** What a frame of JetStream brings to a consumer. */
export interface Delivery {
  readonly kind: 'message' | 'heartbeat'
  /** Of the subscription in its connection. */
  readonly sid: string
  /** Of the consumer; empty in a heartbeat, which names none. */
  readonly consumer: string
  /** Which delivery it is for the consumer, or the last one was. */
  readonly sequence: number
}

const acknowledged = '$JS.ACK.'
const lastSequence = /(Nats-Last-Consumer: )(\d+)/

/** Reads a frame; undefined for one that brings nothing to a consumer of JetStream. */
export function deliveryOf({ words, carried }: NatsFrame): Delivery | undefined {
  const [kind, , sid = ''] = words
  if (!carried) return undefined
  const parts = replyOf(words)?.split('.')
  if (parts) return { kind: 'message', sid, consumer: parts[3] ?? '', sequence: Number(parts[6]) }
  const last = kind === 'HMSG' ? lastSequence.exec(carried.toString('latin1')) : null
  return last ? { kind: 'heartbeat', sid, consumer: '', sequence: Number(last[2]) } : undefined
}

/** The frame as if it were another delivery for its consumer. */
export function renumbered(frame: NatsFrame, sequence: number): NatsFrame {
  const { words, carried } = frame
  const reply = replyOf(words)
  if (reply !== undefined) {
    const parts = reply.split('.')
    parts[6] = String(sequence)
    return { words: words.map((word) => (word === reply ? parts.join('.') : word)), carried }
  }
  if (!carried) return frame
  const text = carried.toString('latin1').replace(lastSequence, `$1${sequence}`)
  const grown = text.length - carried.byteLength
  const sizes = words.slice(-2).map((size) => String(Number(size) + grown))
  return { words: [...words.slice(0, -2), ...sizes], carried: Buffer.from(text, 'latin1') }
}

/** `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence in the stream>.<sequence for the consumer>.<time>.<pending>` */
const replyOf = (words: readonly string[]): string | undefined => words.find((word) => word.startsWith(acknowledged))
