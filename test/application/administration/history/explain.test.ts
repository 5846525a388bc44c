import { expect, it } from 'vitest'
import {
  explainedEvents_max,
  explanationOf,
  type ExplainNeeds,
} from '../../../../application/administration/history/explain.ts'
import { explainedRequests_max } from '../../../../application/administration/history/requests-named.ts'
import { treeOf, type ExplainedTree } from '../../../../application/administration/history/explained-tree.ts'
import { nothingRevealed } from '../../../../application/administration/history/masked-event.ts'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { Refused } from '../../../../application/commands/refused.ts'
import type { RecordedEvent } from '../../../../application/ports/event-store.ts'
import type { IndexedEvent } from '../../../../application/ports/queries/history-queries.ts'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import { dispatchesOf } from '../../../../gateway/dispatches/dispatches-of.ts'
import { world } from '../../support/world.ts'
import { recorded } from './recorded-history.ts'

/** An index of these events, as the read model has it. */
function indexOf(events: readonly RecordedEvent[]): ExplainNeeds {
  const index = events.map(({ position, stream, revision, type, metadata }): IndexedEvent => ({
    position,
    stream,
    revision,
    type,
    eventId: metadata.eventId,
    at: metadata.at,
    actor: '0',
    correlationId: metadata.correlationId,
    causationId: metadata.causationId,
    entryId: metadata.adminAction?.entryId ?? null,
  }))
  return {
    backgroundJobs: { ofRequest: async () => [] },
    dispatchesOf,
    successStatusOf: (operation) => (operation === 'Ban user' ? 204 : undefined),
    mail: { ofRequest: async () => [] },
    events: {
      eventAt: async (stream, revision) =>
        Promise.resolve(events.find((event) => event.stream === stream && event.revision === revision)),
    },
    queries: {
      history: {
        find: async (eventId) => Promise.resolve(index.find((event) => event.eventId === eventId)),
        ofCorrelation: async (id, limit) =>
          Promise.resolve(index.filter(({ correlationId }) => correlationId === id).slice(0, limit)),
        ofEntry: async (id, limit) => Promise.resolve(index.filter(({ entryId }) => entryId === id).slice(0, limit)),
        requestsOf: async (id, limit) =>
          Promise.resolve(
            [
              ...new Set(
                events.flatMap(({ metadata }) => (metadata.clientRequestId === id ? metadata.correlationId : [])),
              ),
            ]
              .toReversed()
              .slice(0, limit),
          ),
        readModelsOf: (type) => [`takes ${type}`],
      },
    },
  }
}

const typesIn = ({ events }: ExplainedTree): unknown => events.map(({ event, ledTo }) => [event.type, typesIn(ledTo)])

it('explains what a process manager finished as a part of the request that began it, with its name', async () => {
  const on = world()
  const [ada, brian] = [await on.newcomer('Ada'), await on.newcomer('Brian')]
  const { code } = await on.guildOf(ada)
  on.dieBefore('MemberJoined')
  const caller = await on.as(brian)
  await expect(acceptInvite(on.ports)(caller, code)).rejects.toThrow('MemberJoined')
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(60_000)
  const olderThan = on.now
  on.wait(1)
  await finishUnfinished(on.ports)(olderThan, on.now)
  const { correlationId } = caller.context
  const explained = await explanationOf(indexOf(await on.events()), correlationId, nothingRevealed)
  expect(typesIn(treeOf(explained))).toEqual([['InviteRedeemed', [['MemberJoined', []]]]])
  expect(explained).toMatchObject({
    requests: [{ id: correlationId, client_request_id: null, actor: { kind: 'account', id: brian }, answer: null }],
    nodes: [
      { type: 'InviteRedeemed', finished_by: null, read_models: ['takes InviteRedeemed'], dispatches: [] },
      {
        type: 'MemberJoined',
        finished_by: 'admission',
        dispatches: ['GUILD_MEMBER_ADD', 'GUILD_CREATE', 'USER_SETTINGS_UPDATE', 'USER_GUILD_SETTINGS_UPDATE'],
      },
    ],
    truncated: false,
  })
})

const manyEvents = (count: number) =>
  recorded(
    'guild-1',
    Array.from({ length: count }, () => ({ type: 'GuildDeleted', data: {} })),
  ).map((event) => ({ ...event, metadata: { ...event.metadata, correlationId: 'request' } }))

/** What is told of a request for `Ban user` that led to one event, whoever reads it, or who sees addresses. */
async function toldOf(type: string, data: object, reveal = false) {
  const [event] = recorded('account-1', [{ type, data }])
  if (!event) throw new Error('There is no event')
  const metadata = { ...event.metadata, correlationId: 'request', operation: 'Ban user' }
  const on = indexOf([{ ...event, metadata }])
  const { requests } = await explanationOf(on, 'request', reveal ? (acl) => acl === 'user:view:ip' : nothingRevealed)
  const [{ answer, status, code, address, left_out } = expect.fail('there is no request')] = requests
  return { answer, status, code, address, left_out }
}

it('says how an administrator’s request was answered: what succeeded by its operation, what was refused by its code', async () => {
  const personal = { address: null, left_out: [] }
  const refused = (code: object) => toldOf('AdminActionRefused', { entryId: '1', adminId: '1', ...code })
  const entry = (metadata: object) => ({ entryId: '1', metadata, personalMetadata: null, reason: null })
  expect(await toldOf('AdminActionRecorded', entry({}))).toEqual({
    answer: 'success',
    status: 204,
    code: null,
    ...personal,
  })
  expect(await refused({ code: 'CONFLICT' })).toEqual({ answer: 'refused', status: 409, code: 'CONFLICT', ...personal })
  expect(await refused({})).toEqual({ answer: 'refused', status: null, code: null, ...personal })
  expect(await toldOf('AdminActionRecorded', entry({ interrupted: 'true' }))).toMatchObject({
    answer: 'interrupted',
    status: null,
  })
  expect(await toldOf('AccountDisabled', { accountId: '1' })).toMatchObject({ answer: null, status: null })
})

it('tells the address of a request that began a session for its own device, to those who see addresses', async () => {
  const session = { accountId: '1', tokenHash: 'x', ip: '203.0.113.7', userAgent: null }
  expect(await toldOf('SessionStarted', session, true)).toMatchObject({ address: '203.0.113.7', left_out: [] })
  expect(await toldOf('SessionStarted', session)).toMatchObject({ address: null, left_out: ['address'] })
  const erased = { ...session, ip: null }
  expect(await toldOf('SessionStarted', erased)).toMatchObject({ address: null, left_out: [] })
  const others = { ...session, forOtherDevice: true }
  expect(await toldOf('SessionStarted', others, true)).toMatchObject({ address: null, left_out: [] })
  const [event] = recorded('account-1', [{ type: 'SessionStarted', data: session }])
  const older = await explanationOf(indexOf(event ? [event] : []), 'a request', () => true)
  expect(older.requests).toMatchObject([{ operation: null, address: null, left_out: [] }])
})

it('explains at most so many events, and says whether there are more', async () => {
  const counted = async (count: number) => {
    const { nodes, truncated } = await explanationOf(indexOf(manyEvents(count)), 'request', nothingRevealed)
    return [nodes.length, truncated]
  }
  expect(await counted(explainedEvents_max)).toEqual([explainedEvents_max, false])
  expect(await counted(explainedEvents_max + 1)).toEqual([explainedEvents_max, true])
})

/** Requests of one event each, to which a client gave the same id. */
const alike = (count: number) =>
  manyEvents(count).map((event, index) => ({
    ...event,
    metadata: { ...event.metadata, correlationId: `request ${index}`, clientRequestId: 'the same' },
  }))

it('explains all requests to which a client gave the same id, the oldest first, and the newest of too many', async () => {
  const idsOf = async (count: number) => {
    const { requests, truncated } = await explanationOf(indexOf(alike(count)), 'the same', nothingRevealed)
    return [requests.map(({ id }) => id), truncated]
  }
  expect(await idsOf(2)).toEqual([['request 0', 'request 1'], false])
  const newest = Array.from({ length: explainedRequests_max }, (_, index) => `request ${index + 1}`)
  expect(await idsOf(explainedRequests_max + 1)).toEqual([newest, true])
  expect(await explanationOf(indexOf(alike(2)), 'request 1', nothingRevealed)).toMatchObject({
    requests: [{ id: 'request 1', client_request_id: 'the same' }],
  })
})

it('finds an id within a text, such as a line of the log', async () => {
  const correlationId = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const [event] = manyEvents(1)
  if (!event) throw new Error('There is no event')
  const on = indexOf([{ ...event, metadata: { ...event.metadata, correlationId, clientRequestId: 'client-0001' } }])
  for (const text of [
    `{"level":50,"requestId":"${correlationId}","msg":"failed to answer"}`,
    `Something went wrong (request ${correlationId}).`,
    'INTERNAL_SERVER_ERROR for client-0001, at 12:00',
  ])
    expect(await explanationOf(on, text, nothingRevealed)).toMatchObject({ requests: [{ id: correlationId }] })
  await expect(explanationOf(on, 'nothing-1234 of that kind', nothingRevealed)).rejects.toThrow(Refused)
})

it('refuses an id that no event knows', async () => {
  await expect(explanationOf(indexOf(manyEvents(1)), 'another', nothingRevealed)).rejects.toThrow(Refused)
})
