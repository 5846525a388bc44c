import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { noteFault } from '../../support/fault-table.ts'
import {
  acceptInvite,
  call,
  createGuild,
  createInvite,
  currentUser,
  getGuild,
  password,
  register,
  send,
  type ApiAnswer,
  type ApiRequest,
  type FoundedGuild,
  type Person,
} from '../../support/load-api.ts'
import { ledger, type Wish } from '../../support/load-ledger.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory } from '../store-checks.ts'
import { countOf, type OnProduct } from './killable-product.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const stuck_s_max = 20

/** A request, and the type of the last event that it appends. */
interface Struck {
  readonly request: ApiRequest
  readonly lastEvent: string
  readonly key?: string
}

interface Command extends Struck {
  readonly wish: Wish
}

export function killedBeforeAnswers(on: OnProduct): void {
  describe('a process that is killed after the last appends of commands and before their answers', () => {
    const { entries, add } = ledger()
    let owner: Person
    let guest: Person
    /** Foundings of one account wait for each other. */
    let other: Person
    let guild: FoundedGuild
    let struck = 0

    beforeAll(async () => {
      owner = await acknowledged({ kind: 'register', username: 'owner' }, register('owner'))
      guest = await acknowledged({ kind: 'register', username: 'guest' }, register('guest'))
      other = await acknowledged({ kind: 'register', username: 'other' }, register('other'))
      guild = await founded('Here')
    })

    /** Sends a command, which must be answered. */
    async function acknowledged<Answer>(wish: Wish, request: ApiRequest<Answer>): Promise<Answer> {
      const answer = await send(on().product.url, request)
      add({ wish, attempts: 1, answer })
      return request.parse(answer.body)
    }

    async function founded(name: string): Promise<FoundedGuild> {
      const { wish, request } = foundingOf(owner, name)
      const { id } = await acknowledged(wish, request)
      return call(on().product.url, getGuild(owner, id))
    }

    /** Answers wait for the read models. While they are held still, everything is appended and nothing answered. */
    async function killBeforeAnswers(all: readonly Struck[]): Promise<void> {
      const { test, product } = on()
      const types = [...new Set(all.map(({ lastEvent }) => lastEvent))]
      const counts = () => Promise.all(types.map((type) => countOf(test, type)))
      const client = await test.database.pool.connect()
      try {
        const before = await counts()
        const wanted = types.map(
          (type, index) => (before[index] ?? 0) + all.filter(({ lastEvent }) => lastEvent === type).length,
        )
        await client.query('begin; lock table read_models.checkpoints in exclusive mode')
        const answers = all.map(({ request, key }) => send(product.url, request, key).catch((error: unknown) => error))
        await expect.poll(counts).toStrictEqual(wanted)
        await product.kill()
        for (const answer of await Promise.all(answers)) expect(answer).toBeInstanceOf(Error)
        struck += all.length
      } finally {
        await client.query('rollback')
        client.release()
      }
      await on().restart()
    }

    /** The answer of the next process to the same request with the same key. It gives the same answer again. */
    async function repeated({ request, key }: Struck): Promise<ApiAnswer> {
      const answer = await send(on().product.url, request, key)
      expect(await send(on().product.url, request, key)).toStrictEqual(answer)
      return answer
    }

    it('answers each that is repeated with what was done, and leaves the whole effect or none of one without a key', async () => {
      const wishes = { max_uses: 1, max_age: 3602 }
      const inviting = { kind: 'create invite', guild: guild.id, maxAge: wishes.max_age } as const
      const { code } = await acknowledged(inviting, createInvite(owner, guild.textChannel, wishes))
      const joining = { kind: 'accept', code, guild: guild.id, account: guest.id } as const
      const making = { kind: 'create invite', guild: guild.id, maxAge: 3601 } as const
      const invite = createInvite(owner, guild.textChannel, { ...wishes, max_age: 3601 })
      const arriving = { kind: 'register', username: 'newcomer' } as const
      const newcomer = register('newcomer')
      const commands: readonly Command[] = [
        { ...foundingOf(owner, 'Twice asked'), key: randomUUID() },
        { wish: making, request: invite, lastEvent: 'InviteCreated', key: randomUUID() },
        { wish: joining, request: acceptInvite(guest, code), lastEvent: 'MemberJoined', key: randomUUID() },
        { wish: arriving, request: newcomer, lastEvent: 'SessionStarted', key: randomUUID() },
      ]
      const unkeyed = foundingOf(other, 'Never answered')
      await killBeforeAnswers([...commands, unkeyed])
      add({ wish: unkeyed.wish, attempts: 1, answer: undefined })
      const answers = await Promise.all(commands.map(repeated))
      for (const [index, { wish }] of commands.entries()) add({ wish, attempts: 2, answer: answers[index] })
      expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 200])
      const person = newcomer.parse(answers[3]?.body)
      expect(await send(on().product.url, currentUser(person))).toMatchObject({ status: 200, body: { id: person.id } })
    })

    it('answers a repeated Transfer ownership and a repeated Delete guild, although the sender no longer owns the guild', async () => {
      const doomed = await founded('Deleted')
      const asOwner = (path: string, more: object = {}): ApiRequest => ({
        method: 'POST',
        path: `/v1/guilds/${path}`,
        token: owner.token,
        body: { password, ...more },
        parse: (body) => body,
      })
      const transfer = {
        request: asOwner(`${guild.id}/transfer-ownership`, { new_owner_id: guest.id }),
        lastEvent: 'OwnershipTransferred',
        key: randomUUID(),
      }
      const deletion = { request: asOwner(`${doomed.id}/delete`), lastEvent: 'GuildDeleted', key: randomUUID() }
      await killBeforeAnswers([transfer, deletion])
      const [given, deleted] = await Promise.all([transfer, deletion].map(repeated))
      expect(given).toMatchObject({ status: 200, body: { id: guild.id, owner_id: guest.id } })
      expect(deleted).toStrictEqual({ status: 204, body: undefined })
    })

    it('F2: has done each command exactly once', async () => {
      const { store, stuck_s } = on()
      const { left } = await finishedSteps(store, patience_ms)
      const divergent = await divergentRows(store)
      const { lost, repeated: twice, unexpected } = compareWithHistory(entries, factsOf(await wholeHistory(store)))
      noteFault('F2', {
        title: 'Killed between append and answer',
        runs: struck,
        lost: lost.length,
        repeated: twice.length,
        reordered: 0,
        divergent: divergent.length,
        stuck_s,
        note: 'commands; a process starts in the time',
      })
      const none = { left: 0, lost: [], twice: [], unexpected: [], divergent: [] }
      expect({ left, lost, twice, unexpected, divergent }).toStrictEqual(none)
      expect(stuck_s).toBeLessThan(paced(stuck_s_max))
    })
  })
}

function foundingOf(owner: Person, name: string) {
  const wish = { kind: 'create guild', name, owner: owner.id } as const
  return { wish, request: createGuild(owner, name), lastEvent: 'MemberJoined' }
}
