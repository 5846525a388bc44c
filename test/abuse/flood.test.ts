import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { layPostgres } from '../support/lay-postgres.js'
import { createInvite, getGuild } from '../support/load-api.js'
import { startProduct, type ProductProcess } from '../support/product-process.js'
import { attackerAt, attacks, type Attacker } from './support/flood/attacks.js'
import type { Answered } from './support/flood/client-at.js'
import { asked, ordinaryClient, type OrdinaryClient } from './support/flood/ordinary-client.js'

/**
 * Runs the attacks by which one client once stopped the service for all: each beside its own quiet, and all at once. The product runs
 * as an operator runs it, with limits on. Each attacker and each ordinary client has its own address.
 */

const ordinary = 20
const quiet_ms = 1500
const flood_ms = 3000
/**
 * The lower bound of the time that answers are compared with: on a quiet machine they take almost nothing, and a busy machine
 * must not fail for that.
 */
const leastSlow_ms = 1000

let dataDir: string
let product: ProductProcess
let clients: readonly OrdinaryClient[]
let attackers: readonly (readonly [name: string, attacker: Attacker])[]

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-flood-'))
  await layPostgres(path.join(dataDir, 'postgres'))
  product = await startProduct({ dataDir, environment: { RATE_LIMITS: 'on' } })
  const { url } = product
  const owner = await attackerAt(url, '127.0.2.1', 'owner')
  const { textChannel: channel } = await asked(owner.client, getGuild(owner.person, owner.guild))
  const { code } = await asked(owner.client, createInvite(owner.person, channel, { max_uses: 0, max_age: 3600 }))
  const people = Array.from({ length: ordinary }, (_, index) => ({
    address: `127.${10 + index}.0.1`,
    name: `person_${index}`,
  }))
  clients = await Promise.all(people.map((person) => ordinaryClient(url, { ...person, code, channel })))
  attackers = await Promise.all(
    Object.keys(attacks).map(
      async (name, index) => [name, await attackerAt(url, `127.${100 + index}.0.1`, `attacker_${index}`)] as const,
    ),
  )
  owner.client.close()
})
afterAll(async () => {
  for (const client of clients) client.close()
  for (const [, { client }] of attackers) client.close()
  await product.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function livedFor(duration_ms: number): Promise<readonly Answered[]> {
  const signal = AbortSignal.timeout(duration_ms)
  return (await Promise.all(clients.map((client) => client.live(signal)))).flat()
}

/** The time within which 99 of 100 answers came. */
function p99_ms(answers: readonly Answered[]): number {
  const times = answers.map(({ took_ms }) => took_ms).toSorted((one, other) => one - other)
  return times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
}

async function delaysNobody(name: string, underAttack: readonly (readonly [string, Attacker])[]): Promise<void> {
  const quiet = await livedFor(quiet_ms)
  const over = new AbortController()
  const attacked = underAttack.map(async ([attack, attacker]) => attacks[attack]?.(attacker, over.signal))
  const flooded = await livedFor(flood_ms)
  over.abort()
  await Promise.all(attacked)
  for (const answers of [quiet, flooded]) expect(answers.filter(({ status }) => status >= 300)).toEqual([])
  for (const client of clients) expect(await client.missed()).toEqual([])
  const [before, beside] = [p99_ms(quiet), p99_ms(flooded)]
  process.stdout.write(`${name}: p99 is ${beside.toFixed(0)} ms, ${before.toFixed(0)} ms in quiet\n`)
  expect(beside).toBeLessThan(Math.max(3 * before, leastSlow_ms))
}

it.each(Object.keys(attacks))('refuses and delays no ordinary client beside one that sends %s', async (attack) => {
  await delaysNobody(
    attack,
    attackers.filter(([name]) => name === attack),
  )
})

it('refuses and delays no ordinary client while all attacks go on', async () => {
  await delaysNobody('all at once', attackers)
})
