import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectNats } from '../../../adapters/bus/nats/connect.ts'
import type { Client } from '../../gateway/support/client.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory } from '../store-checks.ts'
import { clusterLoad } from '../../support/cluster/cluster-load.ts'
import { listenAt, newWitness, openSession, type Witness } from '../../support/cluster/witness.ts'
import {
  acceptInvite,
  call,
  createInvite,
  currentUser,
  password,
  register,
  type ApiRequest,
  type Person,
} from '../../support/load-api.ts'
import { isLong } from '../../support/fault-table.ts'
import { chance } from '../../support/load-random.ts'
import { patience_ms } from '../../support/pace.ts'
import type { OnStage } from './cluster-stage.ts'
import { expectEnded } from '../../gateway/support/ended.ts'

const clients = 4
const answeredBetween = isLong ? 25 : 12
/** A Gateway is forgotten 7 s after its last message; add a tick of the others, and the delay of a busy machine. */
const forgotten = { timeout: patience_ms, interval: 50 }

export function severalOfARole(on: OnStage, seed: number): void {
  describe('several processes of a role', () => {
    let ada: Witness
    let bea: Person

    beforeAll(async () => {
      await Promise.all([on().atLeast('gateway', 2), on().atLeast('worker', 2)])
      ada = await newWitness(apiUrl, 'ada')
      bea = await call(apiUrl(), register('bea'))
    })

    const apiUrl = (): string => on().urlOf('api')
    const gatewayUrl = (index: number): string => on().cluster.running('gateway')[index]?.url ?? ''

    describe('two Gateways', () => {
      let sessions: readonly Client[] = []
      afterAll(() => {
        for (const session of sessions) session.close()
      })

      it('send their clients the same', async () => {
        const [atFirst, atSecond] = [await listenAt(gatewayUrl(0), ada), await openSession(gatewayUrl(1), bea)]
        sessions = [atFirst, atSecond]
        const { code } = await call(
          apiUrl(),
          createInvite(ada.owner, ada.guild.textChannel, { max_uses: 0, max_age: 86_400 }),
        )
        await call(apiUrl(), acceptInvite(bea, code))
        expect((await atFirst.dispatch('GUILD_MEMBER_ADD')).d).toMatchObject({ user: { id: bea.id } })
        expect((await atSecond.dispatch('GUILD_CREATE')).d['id']).toBe(ada.guild.id)
        await expect
          .poll(() => call(apiUrl(), onlineCount(code)), {
            message: 'who is present at either',
          })
          .toBe(2)
      })
    })

    describe('sessions at two Gateways', () => {
      let people = 0
      let clients: Client[] = []
      afterEach(() => {
        for (const client of clients) client.close()
        clients = []
      })

      const newPerson = (): Promise<Person> => call(apiUrl(), register(`person${(people += 1)}`))

      async function open(gateway: number, person: Person, from?: string): Promise<Client> {
        const client = await openSession(gatewayUrl(gateway), person, from)
        clients.push(client)
        return client
      }

      /** The ids of the sessions in the client's newest list, without the entry that stands for all. */
      function knownTo({ dispatches }: Client): readonly unknown[] {
        const lists = dispatches.flatMap(({ t, d }): unknown[] => {
          if (t === 'SESSIONS_REPLACE') return [d]
          return t === 'READY' ? [d['sessions']] : []
        })
        const list = lists.at(-1)
        return Array.isArray(list) ? list.slice(1).map((entry: { session_id: string }) => entry.session_id) : []
      }

      /** Returns the new token. */
      function changePassword(person: Person): Promise<unknown> {
        const body = { password, new_password: `${password} anew` }
        return call(apiUrl(), {
          method: 'PATCH',
          path: '/v1/users/@me',
          token: person.token,
          body,
          parse: () => undefined,
        })
      }

      it('are announced to each other: in READY, and as they come and go', async () => {
        const ada = await newPerson()
        const first = await open(0, ada)
        const second = await open(1, ada)
        await expect.poll(() => knownTo(first)).toStrictEqual([first.sessionId, second.sessionId])
        await expect.poll(() => knownTo(second)).toStrictEqual([second.sessionId, first.sessionId])
        const third = await open(1, ada)
        const ready = third.dispatches.find(({ t }) => t === 'READY')?.d['sessions']
        expect(ready).toStrictEqual(
          ['all', second.sessionId, third.sessionId, first.sessionId].map((session_id) => ({
            session_id,
            status: 'online',
            afk: false,
            mobile: false,
          })),
        )
      })

      it('get the token of the session that replaces them, which nobody can read on NATS', async () => {
        const bea = await newPerson()
        const [ear, heard] = await listenToAll()
        const connections = [await open(0, bea), await open(1, bea)]
        const thief = await open(1, bea, '127.0.0.2')
        await changePassword(bea)
        await expectEnded(thief)
        const told = await Promise.all(connections.map((client) => client.dispatch('AUTH_SESSION_CHANGE')))
        const [token, other] = told.map(({ d }) => String(d['new_token']))
        expect(other).toBe(token)
        await expect(call(apiUrl(), currentUser({ id: bea.id, token: token ?? '' }))).resolves.toMatchObject({
          id: bea.id,
        })
        await ear.flush()
        const subjects = new Set(heard.map(({ subject }) => subject))
        expect(subjects).toContain('guildhall_signals.handover')
        expect(subjects).toContain('guildhall_signals.presence')
        const everything = heard.map(({ text }) => text).join('\n')
        for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
          expect(everything).not.toContain(Buffer.from(token ?? '').toString(encoding))
        }
        await ear.close()
      })

      it('are forgotten 7 s after the last message of a killed Gateway', async () => {
        const cleo = await newPerson()
        const stays = await open(1, cleo)
        const dies = await open(0, cleo)
        await expect.poll(() => knownTo(stays)).toStrictEqual([stays.sessionId, dies.sessionId])
        const killedAt = performance.now()
        await on().cluster.running('gateway')[0]?.kill('SIGKILL')
        await expect.poll(() => knownTo(stays), forgotten).toStrictEqual([stays.sessionId])
        process.stdout.write(
          `Sessions of a killed Gateway were forgotten after ${Math.round(performance.now() - killedAt)} ms\n`,
        )
      })

      /** Everything that NATS carries from now on. */
      async function listenToAll(): Promise<[NatsConnection, { readonly subject: string; readonly text: string }[]]> {
        const ear = await connectNats({ servers: [on().cluster.nats.url], name: 'test' })
        const heard: { readonly subject: string; readonly text: string }[] = []
        ear.subscribe('>', {
          callback: (_error, { subject, data }) =>
            void heard.push({ subject, text: Buffer.from(data).toString('latin1') }),
        })
        await ear.flush()
        return [ear, heard]
      }
    })

    it('come and go while clients write, and no acknowledged write is lost', async () => {
      const load = clusterLoad(on().cluster)
      load.start(clients, chance(seed))
      await load.answered(answeredBetween)
      // Up to three processes, down to one, and up again; a worker is killed in between.
      await load.slowly(() => on().atLeast('api', 3))
      await load.answered(answeredBetween)
      await on().cluster.running('worker')[0]?.kill('SIGKILL')
      for (const api of on().cluster.running('api').slice(0, 2)) {
        // Resolves only for exit code 0.
        await api.stop()
        await load.answered(answeredBetween)
      }
      expect(on().cluster.running('api')).toHaveLength(1)
      await load.slowly(() => on().cluster.add('api'))
      await load.answered(answeredBetween)
      await load.pause()
      const { store, errors } = on()
      const { left } = await finishedSteps(store, patience_ms)
      const findings = compareWithHistory(load.traffic.ledger.entries, factsOf(await wholeHistory(store)))
      expect({ ...findings, left, divergent: await divergentRows(store) }).toEqual({
        lost: [],
        repeated: [],
        unexpected: [],
        left: 0,
        divergent: [],
      })
      expect(errors).toEqual([])
      await load.end()
    })
  })
}

const counted = z.object({ presence_count: z.int() })

function onlineCount(code: string): ApiRequest<number> {
  return { method: 'GET', path: `/v1/invites/${code}`, parse: (body) => counted.parse(body).presence_count }
}
