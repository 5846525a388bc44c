import { closings } from './closings.ts'
import { isObject, readable, unreadable, type Read } from './read.ts'

/** A client's command: its opcode as sent, and `d`, which may be absent. */
export interface Command {
  readonly op: unknown
  readonly d: unknown
  readonly hasData: boolean
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a frame, text or binary alike: 4002 `Decode failed` if it is not a JSON object, 4002 `Invalid payload` if it
 * has no `op`. The length was checked on arrival.
 */
export function readCommand(frame: Buffer): Read<Command> {
  const payload = parseJson(frame)
  if (!isObject(payload)) return unreadable(closings.decodeFailed)
  if (!Object.hasOwn(payload, 'op')) return unreadable(closings.invalidPayload)
  return readable({ op: payload['op'], d: payload['d'], hasData: Object.hasOwn(payload, 'd') })
}

/** The JSON value of the bytes; undefined, which is not a JSON value, if they are not valid JSON. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
