import { closings } from './closings.js'
import { isObject, readable, unreadable, type Read } from './read.js'

/** What a client sent: its opcode as it came, and `d`, which may not be there at all. */
export interface Command {
  readonly op: unknown
  readonly d: unknown
  readonly hasData: boolean
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a frame, text or binary alike: 4002 `Decode failed` for what is no JSON object, 4002 `Invalid payload` for one
 * without `op` (reference gateway 1.3). Its length was checked when it came in.
 */
export function readCommand(frame: Buffer): Read<Command> {
  const payload = parseJson(frame)
  if (!isObject(payload)) return unreadable(closings.decodeFailed)
  if (!Object.hasOwn(payload, 'op')) return unreadable(closings.invalidPayload)
  return readable({ op: payload['op'], d: payload['d'], hasData: Object.hasOwn(payload, 'd') })
}

/** The value that the bytes spell; undefined, which JSON has no word for, where they spell none. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
