import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { layPostgres } from '../../../support/lay-postgres.ts'
import { createInvite, getGuild } from '../../../support/load-api.ts'
import { startProduct } from '../../../support/product-process.ts'
import { attackerAt, attacks, type Attacker } from './attacks.ts'
import type { Answered } from './client-at.ts'
import { asked, ordinaryClient } from './ordinary-client.ts'

const ordinary = 20

/** The product with ordinary clients, and an attacker for each attack. Each has an address of its own. */
export interface FloodSite {
  /** The answers that the ordinary clients got within a time, while these attacks went on. */
  livedBeside(names: readonly string[], duration_ms: number): Promise<readonly Answered[]>
  /** Ends of ordinary sessions, and writes that their writers' sessions did not hear of. */
  missed(): Promise<readonly string[]>
  close(): Promise<void>
}

/** An attacker may be refused for the sake of the others: that ends its attack, and not the test. */
function unlessTurnedAway(error: unknown): void {
  if (!String(error).includes('SERVICE_UNAVAILABLE')) throw error
}

/** Starts the product as an operator runs it, with limits on, and brings everybody in. */
export async function openFloodSite(): Promise<FloodSite> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-flood-'))
  await layPostgres(path.join(dataDir, 'postgres'))
  const product = await startProduct({ dataDir, environment: { RATE_LIMITS: 'on' } })
  const { url } = product
  const owner = await attackerAt(url, '127.0.2.1', 'owner')
  const { textChannel: channel } = await asked(owner.client, getGuild(owner.person, owner.guild))
  const { code } = await asked(owner.client, createInvite(owner.person, channel, { max_uses: 0, max_age: 3600 }))
  owner.client.close()
  const people = Array.from({ length: ordinary }, (_, index) => ({
    address: `127.${10 + index}.0.1`,
    name: `person_${index}`,
  }))
  const clients = await Promise.all(people.map((person) => ordinaryClient(url, { ...person, code, channel })))
  const attackerOf = async (name: string, index: number): Promise<readonly [string, Attacker]> => [
    name,
    await attackerAt(url, `127.${100 + index}.0.1`, `attacker_${index}`),
  ]
  const attackers = new Map(await Promise.all(Object.keys(attacks).map(attackerOf)))

  return {
    async livedBeside(names, duration_ms) {
      const over = new AbortController()
      const attacked = names.map(async (name) => {
        const attacker = attackers.get(name)
        if (attacker) await attacks[name]?.(attacker, over.signal).catch(unlessTurnedAway)
      })
      const signal = AbortSignal.timeout(duration_ms)
      const answers = await Promise.all(clients.map((client) => client.live(signal)))
      over.abort()
      await Promise.all(attacked)
      return answers.flat()
    },
    missed: async () => (await Promise.all(clients.map((client) => client.missed()))).flat(),
    async close() {
      for (const client of clients) client.close()
      for (const { client } of attackers.values()) client.close()
      await product.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
