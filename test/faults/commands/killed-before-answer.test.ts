import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteFault } from '../../support/fault-table.ts'
import {
  acceptInvite,
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
import { countOf, openKillableProduct, type KillableProduct } from './killable-product.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const stuck_s_max = 20
let serial = 0

/** What a command asks for, the type of the last event that it appends, and what its answer contains. */
interface Case {
  readonly wish: Wish
  readonly request: ApiRequest
  readonly lastEvent: string
}

describe('a process that is killed after its last append and before its answer', () => {
  const { entries, add } = ledger()
  const replayed: string[] = []
  let on: KillableProduct
  let owner: Person
  let guest: Person
  let guild: FoundedGuild

  beforeAll(async () => {
    on = await openKillableProduct()
    owner = await acknowledged({ kind: 'register', username: 'owner' }, register('owner'))
    guest = await acknowledged({ kind: 'register', username: 'guest' }, register('guest'))
    const founding = { kind: 'create guild', name: 'Here', owner: owner.id } as const
    const { id } = await acknowledged(founding, createGuild(owner, 'Here'))
    guild = getGuild(owner, id).parse((await send(on.product.url, getGuild(owner, id))).body)
  })

  afterAll(() => on.close())

  /** Sends a command, which must be answered. */
  async function acknowledged<Answer>(wish: Wish, request: ApiRequest<Answer>): Promise<Answer> {
    const answer = await send(on.product.url, request)
    add({ wish, attempts: 1, answer })
    return request.parse(answer.body)
  }

  /** The answer waits for the read models. While they are held still, the answer is held back long enough to kill the process. */
  async function killBeforeAnswer(
    { request, lastEvent }: Pick<Case, 'request' | 'lastEvent'>,
    key?: string,
  ): Promise<void> {
    const client = await on.test.database.pool.connect()
    try {
      const before = await countOf(on.test, lastEvent)
      await client.query('begin; lock table read_models.checkpoints in exclusive mode')
      const answer = send(on.product.url, request, key).catch((error: unknown) => error)
      await expect.poll(() => countOf(on.test, lastEvent), { timeout: patience_ms }).toBe(before + 1)
      await on.product.kill()
      expect(await answer).toBeInstanceOf(Error)
    } finally {
      await client.query('rollback')
      client.release()
    }
    await on.restart()
  }

  /** Kills the process during a command, and sends the command again with the same key to the next process, twice. */
  async function repeat(one: Case): Promise<ApiAnswer> {
    const answer = await answerAfterKill(one)
    add({ wish: one.wish, attempts: 2, answer })
    expect(answer).toMatchObject({ status: 200 })
    replayed.push(one.wish.kind)
    return answer
  }

  async function answerAfterKill(one: Pick<Case, 'request' | 'lastEvent'>): Promise<ApiAnswer> {
    const key = randomUUID()
    await killBeforeAnswer(one, key)
    const answer = await send(on.product.url, one.request, key)
    expect(await send(on.product.url, one.request, key)).toStrictEqual(answer)
    return answer
  }

  it('answers a repeated Create guild with the guild that was created', async () => {
    await repeat(foundingOf(owner, 'Twice asked'))
  })

  it('answers a repeated Create invite with the invite that was created, and a repeated Accept invite with the join', async () => {
    const wish = { kind: 'create invite', guild: guild.id, maxAge: 3601 } as const
    const request = createInvite(owner, guild.textChannel, { max_uses: 1, max_age: 3601 })
    const { body } = await repeat({ wish, request, lastEvent: 'InviteCreated' })
    const { code } = request.parse(body)
    const accepting = { kind: 'accept', code, guild: guild.id, account: guest.id } as const
    await repeat({ wish: accepting, request: acceptInvite(guest, code), lastEvent: 'MemberJoined' })
  })

  it('answers a repeated Register with a session of the account that was registered', async () => {
    const request = register('newcomer')
    const wish = { kind: 'register', username: 'newcomer' } as const
    const { body } = await repeat({ wish, request, lastEvent: 'SessionStarted' })
    const person = request.parse(body)
    expect(await send(on.product.url, currentUser(person))).toMatchObject({ status: 200, body: { id: person.id } })
  })

  it('answers a repeated Transfer ownership and a repeated Delete guild, although the sender no longer owns the guild', async () => {
    const to = (path: string, person: Person, more: object = {}): ApiRequest => ({
      method: 'POST',
      path: `/v1/guilds/${guild.id}/${path}`,
      token: person.token,
      body: { password, ...more },
      parse: (body) => body,
    })
    const transfer = to('transfer-ownership', owner, { new_owner_id: guest.id })
    const given = await answerAfterKill({ request: transfer, lastEvent: 'OwnershipTransferred' })
    expect(given).toMatchObject({ status: 200, body: { id: guild.id, owner_id: guest.id } })
    const deleted = await answerAfterKill({ request: to('delete', guest), lastEvent: 'GuildDeleted' })
    expect(deleted).toStrictEqual({ status: 204, body: undefined })
  })

  it('leaves the whole effect or none for a command without a key, whose client cannot know which', async () => {
    const one = foundingOf(owner, 'Never answered')
    await killBeforeAnswer(one)
    add({ wish: one.wish, attempts: 1, answer: undefined })
  })

  it('has done each command exactly once', async () => {
    const { kills: runs, store, stuck_s } = on
    const { left } = await finishedSteps(store, patience_ms)
    const divergent = await divergentRows(store)
    const { lost, repeated, unexpected } = compareWithHistory(entries, factsOf(await wholeHistory(store)))
    noteFault('F2', {
      title: 'Killed between append and answer',
      runs,
      lost: lost.length,
      repeated: repeated.length,
      reordered: 0,
      divergent: divergent.length,
      stuck_s,
      note: 'a process starts in the time',
    })
    expect(replayed).toStrictEqual(['create guild', 'create invite', 'accept', 'register'])
    const none = { left: 0, lost: [], repeated: [], unexpected: [], divergent: [] }
    expect({ left, lost, repeated, unexpected, divergent }).toStrictEqual(none)
    expect(stuck_s).toBeLessThan(paced(stuck_s_max))
  })
})

function foundingOf(owner: Person, text: string): Case {
  const name = `${text} ${(serial += 1)}`
  const wish = { kind: 'create guild', name, owner: owner.id } as const
  return { wish, request: createGuild(owner, name), lastEvent: 'MemberJoined' }
}
