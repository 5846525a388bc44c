/** One frame from a NATS server: a line, with its headers and payload. */
export interface NatsFrame {
  /** The words of the line. */
  readonly words: readonly string[]
  /** Headers and payload; undefined for a line without them. */
  readonly carried: Buffer | undefined
}

/** The most bytes of one frame, far above what a server allows. */
const frame_bytes_max = 16 * 1024 * 1024
const lineEnd = '\r\n'

/** Splits a server's bytes into frames, however they are chunked. Throws if they are not NATS, or if a frame has no end. */
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

/** A frame's bytes on the wire. */
export function frameBytes({ words, carried }: NatsFrame): Buffer {
  const line = Buffer.from(words.join(' ') + lineEnd)
  return carried ? Buffer.concat([line, carried, Buffer.from(lineEnd)]) : line
}

/** What a JetStream frame delivers to a consumer. */
export interface Delivery {
  readonly kind: 'message' | 'heartbeat'
  /** The subscription's id in its connection. */
  readonly sid: string
  /** The consumer's name; empty in a heartbeat, which names none. */
  readonly consumer: string
  /** The number of the delivery for the consumer; in a heartbeat, that of the last one. */
  readonly sequence: number
}

const acknowledged = '$JS.ACK.'
const lastSequence = /(Nats-Last-Consumer: )(\d+)/

/** Reads a frame; undefined for one that delivers nothing to a JetStream consumer. */
export function deliveryOf({ words, carried }: NatsFrame): Delivery | undefined {
  const [kind, , sid = ''] = words
  if (!carried) return undefined
  const parts = replyOf(words)?.split('.')
  if (parts) return { kind: 'message', sid, consumer: parts[3] ?? '', sequence: Number(parts[6]) }
  const last = kind === 'HMSG' ? lastSequence.exec(carried.toString('latin1')) : null
  return last ? { kind: 'heartbeat', sid, consumer: '', sequence: Number(last[2]) } : undefined
}

/** The frame as another delivery for its consumer. */
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
