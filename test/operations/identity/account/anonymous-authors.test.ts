import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresBackgroundJobs } from '../../../../adapters/background-jobs/postgres-background-jobs.ts'
import { spareAuthors_made } from '../../../../application/identity/erasure/anonymise-messages.ts'
import { finishStep } from '../../../../application/processes/finish-step.ts'
import { anonymised_count } from '../../../../adapters/messages/anonymise.ts'
import { startProcessManagers } from '../../../../process/process-managers.ts'
import { accountId, backgroundJobId, messageId } from '../../../../domain/ids/ids.ts'
import { snowflake, snowflakeMs } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { instanceCounts } from '../../../../projections/instance-counts.ts'
import { divergentRows } from '../../../faults/store-checks.ts'
import { giveAcls } from '../../../support/administrators.ts'
import { noBackgroundWork } from '../../../support/background-work.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { openDirect } from '../../conversations/private-channels/support.ts'
import { anonymising } from '../../support/anonymised.ts'
import { bodyOf, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { everyEvent, everyRow } from '../../support/erasure.ts'
import { file as picture, payload, sendForm } from '../../support/forms.ts'
import { writtenBy } from '../../support/message-shreds.ts'
import { messagesPath, send, sent } from '../../support/messages.ts'
import { foundWith, openServer } from '../../support/scene.ts'

/** What is left of an erased author (rules/messages#erased-authors). */

const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection })
const { request, store } = guildhall
const { anonymise, authorsIn, erased, stepOf, writeMany } = anonymising(guildhall)
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, brian, ada)
})

const idOf = ({ id }: Pick<TestAccount, 'id'>) => accountId(snowflake(id))
const now = () => timestamp(Date.now())

interface Shown {
  readonly id: string
  readonly content: string
  readonly embeds: readonly object[]
  readonly author: { readonly id: string }
  readonly mentions?: readonly { readonly id: string }[]
  readonly referenced_message?: Shown
}

/** What Brian reads in a channel, oldest first. */
async function read(channel: string): Promise<readonly Shown[]> {
  const shown = bodyOf(await request('GET', `${messagesPath(channel)}?limit=100`, { token: brian.token })) as unknown
  return (shown as readonly Shown[]).toReversed()
}

const deleted = { username: 'DeletedUser', discriminator: '0000', global_name: 'Deleted User', avatar: null, flags: 0 }

describe('the messages of an erased account', () => {
  it('lose the files that their embeds show, and name no longer who wrote them there either', async () => {
    const file = (name: string) => ({ url: `attachment://${name}.png` })
    const embeds = [
      { title: `I am <@${ada.id}>`, image: file('a'), thumbnail: file('b') },
      { image: file('a') },
      { description: `<@!${ada.id}>`, image: { url: 'https://elsewhere.example/c.png' } },
    ]
    await sendForm(guildhall, ada, home.channel, [
      payload({ embeds }),
      ...['a', 'b'].map((name, index) => picture(`files[${index}]`, `${name}.png`, `content of ${name}`)),
    ])
    await sendForm(guildhall, ada, home.channel, [
      payload({ content: 'A picture', embeds: [{ color: 1, image: file('a') }] }),
      picture('files[0]', 'a.png', 'content of a'),
    ])
    await erased(ada)
    await anonymise(ada)
    const [boxes, plain] = (await read(home.channel)).slice(-2)
    const anonymous = boxes?.author.id
    expect(boxes?.embeds).toMatchObject([
      { title: `I am <@${anonymous}>` },
      { description: `<@!${anonymous}>`, image: { url: 'https://elsewhere.example/c.png' } },
    ])
    expect(boxes?.embeds[0]).not.toHaveProperty('image')
    expect(boxes?.embeds[0]).not.toHaveProperty('thumbnail')
    expect(plain).toMatchObject({ content: 'A picture', embeds: [] })
  })

  it('have a fresh anonymous account as their author, in guilds and in direct messages, and stay', async () => {
    const direct = await openDirect(guildhall, ada, brian)
    await sent(guildhall, ada, home.channel, 'Hello')
    const own = await sent(guildhall, ada, home.channel, `I am <@${ada.id}>`)
    await send(guildhall, brian, home.channel, {
      content: 'So it is',
      message_reference: { message_id: own, channel_id: home.channel },
    })
    await sent(guildhall, ada, direct, 'In private')
    const before = await read(home.channel)
    await erased(ada)
    expect(await anonymise(ada)).toBe(true)

    const [inGuild, inPrivate] = [await read(home.channel), await read(direct)]
    expect(inGuild.map(({ id }) => id)).toStrictEqual(before.map(({ id }) => id))
    const author = inPrivate.at(-1)?.author.id ?? ''
    expect(author).not.toBe(ada.id)
    for (const { content, author: by } of [...inGuild, ...inPrivate])
      if (content !== 'So it is') expect(by).toMatchObject({ id: author, ...deleted })
    const [said, answer] = inGuild.slice(-2)
    expect(said).toMatchObject({ content: `I am <@${author}>`, mentions: [{ id: author, ...deleted }] })
    expect(answer?.referenced_message?.author).toMatchObject({ id: author, ...deleted })
    expect(JSON.stringify([inGuild, inPrivate])).not.toContain(ada.id)
    expect(await writtenBy(guildhall, ada)).toStrictEqual([])
  })

  it('lead to no account in any table or event afterwards', async () => {
    await sent(guildhall, ada, home.channel, 'Hello')
    await erased(ada)
    await anonymise(ada)
    const author = (await read(home.channel)).at(-1)?.author.id ?? ''
    const everything = [...(await everyRow(guildhall)).split('\n'), ...(await everyEvent(guildhall)).split('\n')]
    expect(everything.filter((line) => line.includes(author) && line.includes(ada.id))).toStrictEqual([])
    const events = (await everyEvent(guildhall)).split('\n').filter((line) => line.includes(author))
    expect(events.map((line) => JSON.parse(line) as object)).toMatchObject([{ type: 'AnonymousAccountCreated' }])
    expect(await madeWith(author)).toBeGreaterThanOrEqual(spareAuthors_made)
    const erasures = (await everyEvent(guildhall)).split('\n').filter((line) => line.includes(ada.id))
    const correlations = erasures.map((line) => correlationOf(line))
    expect(correlations).not.toContain(correlationOf(events[0] ?? '{}'))
    expect(await divergentRows(store)).toEqual([])
  })

  it('are drawn from accounts made before: the times of the next erased one are in none of them', async () => {
    await sent(guildhall, ada, home.channel, 'Hello')
    await erased(ada)
    await anonymise(ada)
    const carol = await guildhall.register()
    const other = await foundWith(guildhall, brian, carol)
    await sent(guildhall, carol, other.channel, 'Hello')
    const began_ms = Date.now()
    await erased(carol)
    await anonymise(carol)
    const author = snowflake((await read(other.channel)).at(-1)?.author.id ?? '')
    expect(snowflakeMs(author)).toBeLessThan(began_ms)
  })

  it('are gone through again when no request from before is left: a reply under way may name the erased one', async () => {
    const own = await sent(guildhall, ada, home.channel, 'Hello')
    await erased(ada)
    const step = await stepOf(ada)
    if (!step) throw new Error('nothing is unfinished')
    const finish = finishStep(guildhall.ports)
    expect(await finish(step, now())).toBe(false)
    const reply = await send(guildhall, brian, home.channel, {
      content: 'So it is',
      message_reference: { message_id: own, channel_id: home.channel },
    })
    const id = String(bodyOf(reply)['id'])
    // As a request wrote it that had read the message before.
    await store.database.pool.query('update messages.messages set mentions = array[$2::int8] where id = $1', [
      id,
      ada.id,
    ])
    expect(await finish(step, now())).toBe(false)
    expect((await read(home.channel)).at(-1)?.mentions).toMatchObject([{ id: ada.id }])
    expect(await finish(step, now(), { requestLife_ms: 0 })).toBe(true)
    const [said, answer] = (await read(home.channel)).slice(-2)
    expect(answer?.mentions).toMatchObject([{ id: said?.author.id }])
    expect(await stepOf(ada)).toBeUndefined()
  })

  it('are anonymised by a worker, however many there are', async () => {
    const count = 2 * anonymised_count + 30
    await writeMany(ada, home.channel, count)
    await erased(ada)
    const managers = await startProcessManagers({
      ports: guildhall.ports,
      connection: kept.connection,
      logger: pino({ level: 'silent' }),
      finishesFirst: true,
      olderThan_ms: 0,
      background: noBackgroundWork,
      timing: { start_ms: 0, scan_ms: 200, poll_ms: 200 },
    })
    await expect.poll(() => stepOf(ada)).toBeUndefined()
    await managers.stop()
    const authors = await authorsIn(home.channel)
    expect(authors.filter(({ author_id: author }) => author === ada.id)).toStrictEqual([])
    expect(authors.map(({ count: own }) => own)).toContain(count + 1)
  })

  it('are left after a batch by a worker whose time is over, and the next one goes on', async () => {
    await writeMany(ada, home.channel, anonymised_count + 30)
    await erased(ada)
    const over = new AbortController()
    const { authorMessages } = guildhall.ports
    const anonymiseOnce: typeof authorMessages.anonymise = (...given) => {
      over.abort(new Error('over'))
      return authorMessages.anonymise(...given)
    }
    const ports = { ...guildhall.ports, authorMessages: { ...authorMessages, anonymise: anonymiseOnce } }
    await expect(anonymise(ada, ports, { signal: over.signal })).rejects.toThrow('over')
    expect(await anonymise(ada)).toBe(true)
    expect((await authorsIn(home.channel)).find(({ author_id: author }) => author === ada.id)).toBeUndefined()
  })

  it('of an account that wrote nothing need no author', async () => {
    const carol = await guildhall.register()
    const made = await anonymousCount()
    await erased(carol)
    expect(await anonymise(carol)).toBe(true)
    expect(await stepOf(carol)).toBeUndefined()
    expect(await anonymousCount()).toBe(made)
  })

  it('have an author for each account, also when two are erased at once', async () => {
    const carol = await guildhall.register()
    const other = await foundWith(guildhall, brian, carol)
    await sent(guildhall, ada, home.channel, 'Ada')
    await sent(guildhall, carol, other.channel, 'Carol')
    await Promise.all([erased(ada), erased(carol)])
    await Promise.all([anonymise(ada), anonymise(ada), anonymise(carol)])
    const [one] = [...new Set((await read(home.channel)).map(({ author }) => author.id))].filter(isNotBrian)
    const [another] = [...new Set((await read(other.channel)).map(({ author }) => author.id))].filter(isNotBrian)
    expect(new Set([one, another, ada.id, carol.id]).size).toBe(4)
    expect([await writtenBy(guildhall, ada), await writtenBy(guildhall, carol)]).toStrictEqual([[], []])
  })

  it('wait for a job that deletes them by their author', async () => {
    await sent(guildhall, ada, home.channel, 'To be deleted')
    await erased(ada)
    const jobs = postgresBackgroundJobs(store.database)
    const jobId = backgroundJobId(snowflake('77'))
    await jobs.add({
      jobId,
      task: 'delete_user_messages',
      work: { author: idOf(ada), upTo: messageId(snowflake('9')) },
      payload: { user_id: ada.id },
      total: 1,
      requestedBy: idOf(brian),
      reason: null,
      commandId: 'a job',
      cause: { correlationId: 'a request', causationId: 'a command' },
      createdAt: now(),
    })
    const ports = { ...guildhall.ports, backgroundJobs: jobs }
    await expect(anonymise(ada, ports)).rejects.toThrow('still being deleted')
    expect(await writtenBy(guildhall, ada)).not.toStrictEqual([])
    await jobs.cancel(jobId)
    expect(await anonymise(ada, ports)).toBe(true)
    expect(await writtenBy(guildhall, ada)).toStrictEqual([])
  })
})

describe('an anonymous account', () => {
  it('is nobody to message, to ban or to delete, and counts nowhere', async () => {
    await sent(guildhall, ada, home.channel, 'Hello')
    await erased(ada)
    const { accounts } = await instanceCounts(store.database)
    await anonymise(ada)
    expect((await instanceCounts(store.database)).accounts).toBe(accounts)
    const author = (await read(home.channel)).at(-1)?.author.id ?? ''
    const { token } = brian
    await giveAcls(guildhall, brian, ['*'])
    expect(bodyOf(await request('GET', `/v1/users/${author}`, { token }))).toMatchObject({ id: author, ...deleted })
    expectRefusal(await request('GET', `/v1/users/${author}/profile`, { token }), 404, 'UNKNOWN_USER')
    const open = request('POST', '/v1/users/@me/channels', { token, body: { recipient_id: author } })
    expectRefusal(await open, 404, 'UNKNOWN_USER')
    const ban = request('PUT', `/v1/guilds/${home.id}/bans/${author}`, { token, body: {} })
    expectRefusal(await ban, 404, 'UNKNOWN_USER')
    const deletion = { reason_code: 3, days_until_deletion: 60 }
    const schedule = request('PUT', `/v1/admin/users/${author}/deletion`, { token, body: deletion })
    expectRefusal(await schedule, 409, 'CONFLICT')
  })
})

const isNotBrian = (id: string): boolean => id !== brian.id
const correlationOf = (line: string) =>
  (JSON.parse(line) as { readonly metadata?: { readonly correlationId: string } }).metadata?.correlationId

/** How many anonymous accounts were made at the instant of one. */
async function madeWith(author: string): Promise<number> {
  const made = (await everyEvent(guildhall))
    .split('\n')
    .filter((line) => line.includes('"type":"AnonymousAccountCreated"'))
  const instantOf = (line: string) => /"createdAt":"[^"]+"/u.exec(line)?.[0]
  const instant = instantOf(made.find((line) => line.includes(author)) ?? '')
  const ms = snowflakeMs(snowflake(author))
  expect(instant).toContain(new Date(ms).toISOString())
  return made.filter((line) => instantOf(line) === instant).length
}

const anonymousCount = async (): Promise<number> =>
  (await everyEvent(guildhall)).split('\n').filter((line) => line.includes('"type":"AnonymousAccountCreated"')).length
