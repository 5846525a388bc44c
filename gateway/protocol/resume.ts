import { closings } from './closings.ts'
import { isObject, readable, tokenIn, unreadable, type Read } from './read.ts'

export interface Resume {
  readonly token: string
  readonly sessionId: string
  /** The client's last sequence number. */
  readonly seq: number
}

/** Parses `d` of a Resume: 4002 `Invalid resume payload` if a member is missing or has another type. */
export function readResume(d: unknown): Read<Resume> {
  if (!isObject(d)) return unreadable(closings.invalidResume)
  const { token, session_id: sessionId, seq } = d
  if (typeof token !== 'string' || typeof sessionId !== 'string') return unreadable(closings.invalidResume)
  if (typeof seq !== 'number' || !Number.isInteger(seq)) return unreadable(closings.invalidResume)
  return readable({ token: tokenIn(token), sessionId, seq })
}
