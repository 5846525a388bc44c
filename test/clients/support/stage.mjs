import assert from 'node:assert/strict'

/**
 * What every story has: the server's `url`, the accounts `ada` (who owns the guild), `bob` and `cyd` with `id`, `token` and
 * `username`, `guildId`, the bot's `token`, `as(account, method, path, body)` for what people do beside the bot, and `sets(status)`
 * for Bob's presence. Stories are in JavaScript, as bots of these libraries are.
 */
export const stage = {}

/** What a story has made, for its later actions. */
export const cast = {}

/** What a library has emitted, by event: every list of arguments. */
const heard = new Map()
let waiting = []

/** Empties the stage for the next story. */
export function clear(parts) {
  for (const object of [stage, cast]) for (const name of Object.keys(object)) delete object[name]
  heard.clear()
  waiting = []
  Object.assign(stage, parts)
}

/** Listens to events of a library from now on. */
export function listen(emitter, events) {
  for (const event of events)
    emitter.on(event, (...args) => {
      heard.set(event, [...(heard.get(event) ?? []), args])
      for (const wake of waiting.splice(0)) wake()
    })
}

/** Waits for an event whose arguments pass; it may have come before. */
export async function hears(event, passes = () => true) {
  for (;;) {
    const found = (heard.get(event) ?? []).find((args) => passes(...args))
    if (found) return found
    await new Promise((resolve) => waiting.push(resolve))
  }
}

export const { equal, ok } = assert

/** One pixel, as PNG. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const pngUri = `data:image/png;base64,${png.toString('base64')}`
