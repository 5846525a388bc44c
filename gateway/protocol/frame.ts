import { opcodes } from './opcodes.ts'

/**
 * One websocket frame, encoded once for all its receivers. A dispatch has a gap of spaces for the number `s` of each session.
 * JSON allows spaces, so the frame keeps its length whatever number is written there.
 */
export interface Frame {
  readonly bytes: Buffer
  /** The end of the gap, in bytes from the start; 0 for a frame without one. */
  readonly gapEnd: number
  /** How many sessions keep it for a replay. */
  keptBy: number
}

/** A frame that is large to hold and slow to encode. It is encoded once its socket has accepted everything before it. */
export interface LaterFrame {
  readonly encode: () => Frame
}

export function isLater(frame: Frame | LaterFrame): frame is LaterFrame {
  return 'encode' in frame
}

/** Ten digits: more dispatches than any session gets. */
const gap = ' '.repeat(10)

const finalText = 0x81
const finalBinary = 0x82
const digitZero = 0x30

/** Encodes a dispatch for any number of sessions. Its name is plain ASCII. */
export function dispatchFrame(t: string, d: object): Frame {
  return dispatchText(t, JSON.stringify(d))
}

/** The same for data that is JSON already. */
export function dispatchText(t: string, d: string): Frame {
  const beforeGap = `{"op":${opcodes.dispatch},"t":"${t}","s":`
  const { bytes, head_bytes } = encode(`${beforeGap}${gap},"d":${d}}`)
  return { bytes, gapEnd: head_bytes + beforeGap.length + gap.length, keptBy: 0 }
}

/** Encodes any other payload. */
export function payloadFrame(payload: { readonly op: number; readonly d?: unknown }): Frame {
  return { bytes: encode(JSON.stringify(payload)).bytes, gapEnd: 0, keptBy: 0 }
}

/** Writes a session's number into the gap of a frame that begins at `start` in `target`. */
export function number(target: Buffer, start: number, { gapEnd }: Frame, s: number): void {
  if (gapEnd === 0) return
  let at = start + gapEnd
  let rest = s
  do {
    at -= 1
    target[at] = digitZero + (rest % 10)
    rest = Math.floor(rest / 10)
  } while (rest > 0)
}

/** The payload of a frame for one session, which is compressed by itself. */
export function payloadOf(frame: Frame, s: number): Buffer {
  const bytes = Buffer.from(frame.bytes)
  number(bytes, 0, frame, s)
  return bytes.subarray(headOf(bytes[1] ?? 0))
}

/** The frame of a compressed payload. */
export function binaryFrame(payload: Buffer): Buffer {
  const { bytes, head_bytes } = framed(finalBinary, payload.length)
  payload.copy(bytes, head_bytes)
  return bytes
}

/** The length of a head, by its second byte. */
function headOf(length: number): number {
  return length < 126 ? 2 : length === 126 ? 4 : 10
}

function encode(text: string): { readonly bytes: Buffer; readonly head_bytes: number } {
  const frame = framed(finalText, Buffer.byteLength(text))
  frame.bytes.write(text, frame.head_bytes)
  return frame
}

/** An unmasked, unfragmented frame (RFC 6455, 5.2) without its payload, and the length of its head. */
function framed(kind: number, payload_bytes: number): { readonly bytes: Buffer; readonly head_bytes: number } {
  const head_bytes = headOf(payload_bytes < 126 ? payload_bytes : payload_bytes < 65_536 ? 126 : 127)
  const bytes = Buffer.allocUnsafeSlow(head_bytes + payload_bytes)
  bytes[0] = kind
  if (head_bytes === 2) bytes[1] = payload_bytes
  if (head_bytes === 4) {
    bytes[1] = 126
    bytes.writeUInt16BE(payload_bytes, 2)
  }
  if (head_bytes === 10) {
    bytes[1] = 127
    bytes.writeBigUInt64BE(BigInt(payload_bytes), 2)
  }
  return { bytes, head_bytes }
}
