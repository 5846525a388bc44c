import { expect } from 'vitest'
import { tick_ms } from '../../../gateway/ticker.ts'
import type { Client, Payload } from './client.ts'
import type { Crowd, Name } from './crowd.ts'
import type { Account, Place, Stage } from './stage.ts'

/** Sends the pending presences, and returns what these clients heard of presences since the last call. */
export async function toldOfPresences(
  stage: Stage,
  ...clients: readonly Client[]
): Promise<readonly (readonly Payload['d'][])[]> {
  await stage.handled()
  for (let ticks = 0; ticks < 2; ticks += 1) {
    stage.clock.advance(tick_ms)
    await stage.handled()
  }
  return Promise.all(
    clients.map(async (client) => {
      client.send(1, null)
      const payloads = await client.until(({ op }) => op === 11, 'ACK')
      return payloads.filter(({ t }) => t === 'PRESENCE_UPDATE').map(({ d }) => d)
    }),
  )
}

/** The presence of an account that only sets a status. */
export function seen({ id }: Account, status: string, more: object = {}): object {
  const user = expect.objectContaining({ id, username: `user${id}` })
  return { user, status, mobile: false, afk: false, custom_status: null, ...more }
}

/** Sends a Presence Update and waits until the Gateway has handled it. */
export async function say(client: Client, d: object): Promise<void> {
  client.send(3, d)
  client.send(1, null)
  await client.op(11)
}

/** Sends the pending presences to a crowd, including the bot. */
export async function presencesTold({ stage, clients }: Crowd): Promise<void> {
  const before = clients.bot.payloads.length
  stage.clock.advance(tick_ms)
  await expect.poll(() => clients.bot.payloads.length).toBeGreaterThan(before)
}

/** Makes the owner follow a member, and everybody hear who is there. */
export async function followPresence(crowd: Crowd, { id }: Place, name: Name): Promise<void> {
  crowd.clients.owner.send(14, { subscriptions: { [id]: { members: [crowd.ids[name]] } } })
  await crowd.heard()
  await presencesTold(crowd)
  await crowd.heard()
}
