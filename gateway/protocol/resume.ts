import { closings } from './closings.js'
import { isObject, readable, unreadable, type Read } from './read.js'

export interface Resume {
  readonly token: string
  readonly sessionId: string
  /** The last sequence number that the client has. */
  readonly seq: number
}

/** Reads `d` of a Resume: 4002 `Invalid resume payload` where a member is missing or of another type (reference gateway 1.9). */
export function readResume(d: unknown): Read<Resume> {
  if (!isObject(d)) return unreadable(closings.invalidResume)
  const { token, session_id: sessionId, seq } = d
  if (typeof token !== 'string' || typeof sessionId !== 'string') return unreadable(closings.invalidResume)
  if (typeof seq !== 'number' || !Number.isInteger(seq)) return unreadable(closings.invalidResume)
  return readable({ token, sessionId, seq })
}
