import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { InviteEvent } from '../../../domain/invite/events.ts'
import { Client } from '../../gateway/support/client.ts'
import {
  call,
  createGuild,
  createInvite,
  getGuild,
  register,
  type ApiRequest,
  type FoundedGuild,
  type Person,
} from '../load-api.ts'
import { clientPause_ms, deliver, type Traffic } from '../load-clients.ts'
import { isSuccess } from '../load-ledger.ts'

/** The owner of a guild, who listens to its events at a Gateway. */
export interface Witness {
  readonly owner: Person
  readonly guild: FoundedGuild
}

/** The dispatches about invites, as `INVITE_CREATE AbCd1234`. */
export type Said = readonly string[]

const identify = 2

/** Registers the witness and creates its guild. `urlOf` gives the API process for each request's number. */
export async function newWitness(urlOf: (request: number) => string, username: string): Promise<Witness> {
  const owner = await call(urlOf(0), register(username))
  const { id } = await call(urlOf(1), createGuild(owner, `The guild of ${username}`))
  return { owner, guild: await call(urlOf(2), getGuild(owner, id)) }
}

/** Opens a session at a Gateway. Resolves once it is READY; from then on it hears everything. */
export async function openSession(gatewayUrl: string, { token }: Person, from?: string): Promise<Client> {
  const client = new Client(`${gatewayUrl.replace(/^http/, 'ws')}/gateway?v=1&encoding=json`, {}, { from })
  await client.op(10)
  client.send(identify, { token, properties: { os: '', browser: '', device: '' } })
  await client.dispatch('READY')
  return client
}

/** Opens the session of a witness; rejects if it does not receive its guild. */
export async function listenAt(gatewayUrl: string, { owner, guild }: Witness): Promise<Client> {
  const client = await openSession(gatewayUrl, owner)
  const ready = client.dispatches.find(({ t }) => t === 'READY')
  if (!guildsOf(ready?.d).includes(guild.id)) throw new Error(`READY does not name guild ${guild.id}`)
  return client
}

const withGuilds = z.object({ guilds: z.array(z.object({ id: z.string() })) })
const guildsOf = (ready: unknown): readonly string[] => withGuilds.parse(ready).guilds.map(({ id }) => id)

/** Makes invites in the witness's guild and deletes them again, one after another with a short pause, until the load is over. */
export async function keepWriting({ owner, guild }: Witness, traffic: Traffic, label: number): Promise<void> {
  for (let serial = 0; await traffic.mayGoOn(); serial += 1) {
    // Ages that the other clients do not use: they count up from an hour.
    const maxAge = 600_000 - label * 10_000 - serial
    const request = createInvite(owner, guild.textChannel, { max_uses: 1, max_age: maxAge })
    const { answer, attempts } = await deliver(traffic, request, false)
    traffic.ledger.add({ wish: { kind: 'create invite', guild: guild.id, maxAge }, attempts, answer })
    if (!answer || !isSuccess(answer)) throw new Error(`An invite was refused: ${JSON.stringify(answer)}`)
    const deletion = deleteInvite(owner, request.parse(answer.body).code)
    const deleted = await deliver(traffic, deletion, false)
    // A second try may find that the first one, which was not answered, has done it.
    if (!deleted.answer || (deleted.answer.status >= 300 && deleted.attempts === 1))
      throw new Error(`A deletion was refused: ${JSON.stringify(deleted.answer)}`)
    await sleep(traffic.pause_ms ?? clientPause_ms)
  }
}

function deleteInvite({ token }: Person, code: string): ApiRequest<void> {
  return { method: 'DELETE', path: `/v1/invites/${code}`, token, parse: () => undefined }
}

/** The dispatches about the witness's invites, in order of arrival. */
export function heard(clients: readonly Client[]): Said {
  return clients.flatMap(({ dispatches }) =>
    dispatches.flatMap(({ t, d }) =>
      t === 'INVITE_CREATE' || t === 'INVITE_DELETE' ? [`${t} ${String(d['code'])}`] : [],
    ),
  )
}

/** The dispatches that a session should get about the witness's invites: what happened, in the order of the store. */
export function happened({ guild }: Witness, events: readonly RecordedEvent[]): Said {
  return events.flatMap(({ type, data }) => {
    // Types that are not named here are skipped.
    const event = { type, data } as InviteEvent
    if (event.type !== 'InviteCreated' && event.type !== 'InviteDeleted') return []
    if (event.data.guildId !== guild.id) return []
    return [`${event.type === 'InviteCreated' ? 'INVITE_CREATE' : 'INVITE_DELETE'} ${event.data.code}`]
  })
}

/** The differences between what a session heard and what happened. All empty if there are none. */
export interface Misheard {
  readonly lost: Said
  readonly repeated: Said
  readonly reordered: Said
}

/** Compares what was heard with what happened. Dispatches for things that never happened count as repeated. */
export function misheard(said: Said, facts: Said): Misheard {
  const place = new Map(facts.map((fact, index) => [fact, index]))
  const seen = new Set<string>()
  const wrong = { lost: [] as string[], repeated: [] as string[], reordered: [] as string[] }
  let latest = -1
  for (const one of said) {
    const index = place.get(one)
    if (index === undefined || seen.has(one)) {
      wrong.repeated.push(one)
      continue
    }
    seen.add(one)
    if (index < latest) wrong.reordered.push(one)
    latest = Math.max(latest, index)
  }
  wrong.lost.push(...facts.filter((fact) => !seen.has(fact)))
  return wrong
}
