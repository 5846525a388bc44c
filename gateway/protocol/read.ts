import { parseSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import type { Closing } from './closings.ts'

/** The result of parsing a payload: its value, or how to close the connection. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly closing: Closing }

export function readable<Value>(value: Value): Read<Value> {
  return { ok: true, value }
}

export function unreadable(closing: Closing): Read<never> {
  return { ok: false, closing }
}

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** A token of a payload. Some libraries for bots send it as in the Authorization header, with its scheme. */
export function tokenIn(text: string): string {
  return /^Bot \d/i.test(text) ? text.slice('Bot '.length) : text
}

/** An id in a payload; undefined if it is not a valid one. */
export function snowflakeIn(value: unknown): Snowflake | undefined {
  if (typeof value !== 'string') return undefined
  const read = parseSnowflake(value)
  return read.ok ? read.id : undefined
}
