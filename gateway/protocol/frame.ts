import { opcodes } from './opcodes.ts'

/**
 * One websocket frame, encoded once for all its receivers. A dispatch has a gap of spaces for the number `s` of each session.
 * JSON allows spaces, so the frame keeps its length whatever number is written there.
 */
export interface Frame {
  readonly bytes: Buffer
  /** The end of the gap, in bytes from the start; 0 for a frame without one. */
  readonly gapEnd: number
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
const digitZero = 0x30

/** Encodes a dispatch for any number of sessions. Its name is plain ASCII. */
export function dispatchFrame(t: string, d: object): Frame {
  return dispatchText(t, JSON.stringify(d))
}

/** The same for data that is JSON already. */
export function dispatchText(t: string, d: string): Frame {
  const beforeGap = `{"op":${opcodes.dispatch},"t":"${t}","s":`
  const { bytes, head_bytes } = encode(`${beforeGap}${gap},"d":${d}}`)
  return { bytes, gapEnd: head_bytes + beforeGap.length + gap.length }
}

/** Encodes any other payload. */
export function payloadFrame(payload: { readonly op: number; readonly d?: unknown }): Frame {
  return { bytes: encode(JSON.stringify(payload)).bytes, gapEnd: 0 }
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

/** An unmasked, unfragmented text frame (RFC 6455, 5.2), and the length of its head. */
function encode(text: string): { readonly bytes: Buffer; readonly head_bytes: number } {
  const payload_bytes = Buffer.byteLength(text)
  const head_bytes = payload_bytes < 126 ? 2 : payload_bytes < 65_536 ? 4 : 10
  const bytes = Buffer.allocUnsafeSlow(head_bytes + payload_bytes)
  bytes[0] = finalText
  if (head_bytes === 2) bytes[1] = payload_bytes
  if (head_bytes === 4) {
    bytes[1] = 126
    bytes.writeUInt16BE(payload_bytes, 2)
  }
  if (head_bytes === 10) {
    bytes[1] = 127
    bytes.writeBigUInt64BE(BigInt(payload_bytes), 2)
  }
  bytes.write(text, head_bytes)
  return { bytes, head_bytes }
}
