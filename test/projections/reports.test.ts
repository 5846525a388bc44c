import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { reportsProjection } from '../../projections/reports/projector.ts'
import { reportQueries } from '../../projections/reports/queries.ts'
import { account, after } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([reportsProjection])
})

afterAll(() => the.close())

const idOf = (number: number) => reportId(snowflake((9_007_199_254_749_000n + BigInt(number)).toString()))
const [reporter, reported, admin] = [account(1), account(2), account(3)]
const things = { guild: null, channel: null, messageId: null, guildContextId: null, inviteCode: null }
const profile = {
  username: 'grace',
  discriminator: 7,
  globalName: null,
  avatar: null,
  banner: null,
  bio: 'Cheap watches',
  pronouns: null,
}
const filed = (number: number): readonly AnyEvent[] => [
  {
    type: 'ReportFiled',
    data: {
      reportId: idOf(number),
      reporterId: reporter,
      category: number % 2 === 0 ? 'underage_user' : 'harassment',
      reported: { kind: 'user', accountId: reported, ...things },
      additionalInfo: `words ${number}`,
      reportedAt: after(number),
    },
  },
  { type: 'ReportEvidenceKept', data: { reportId: idOf(number), evidenceOf: reported, profile, messages: [] } },
]
const resolved = (number: number): AnyEvent => ({
  type: 'ReportResolved',
  data: {
    reportId: idOf(number),
    reporterId: reporter,
    adminId: admin,
    cause: 'decided',
    publicComment: 'Thank you',
    resolvedAt: after(100),
  },
})
const erased = (accountId: typeof reporter): AnyEvent => ({
  type: 'AccountErased',
  data: { accountId, erasedAt: after(200) },
})

describe('reports', () => {
  it('against an account are found while pending, without some categories, page by page', async () => {
    await happens(...[1, 2, 3, 5, 7].flatMap(filed), resolved(3))
    const pending = (after_: number | null, count_max: number) =>
      reportQueries(the.database).pendingAgainst(reported, {
        without: ['underage_user'],
        orResolved: null,
        after: after_ === null ? null : idOf(after_),
        count_max,
      })
    expect((await pending(null, 2)).map(({ id }) => id)).toEqual([idOf(1), idOf(5)])
    expect((await pending(5, 2)).map(({ id }) => id)).toEqual([idOf(7)])
  })

  it('against an account are found with those that one administrator has resolved since an instant', async () => {
    await happens(...[21, 22].flatMap(filed), resolved(21))
    const foundBy = async (by: typeof reporter, since: number) => {
      const options = { without: [], orResolved: { by, since: after(since) }, after: idOf(20), count_max: 10 }
      return (await reportQueries(the.database).pendingAgainst(reported, options)).map(({ id }) => id)
    }
    expect(await foundBy(admin, 100)).toEqual([idOf(21), idOf(22)])
    expect(await foundBy(admin, 101)).toEqual([idOf(22)])
    expect(await foundBy(reporter, 100)).toEqual([idOf(22)])
  })

  it('lose what is personal to an erased account, even if they were filed while it was being erased', async () => {
    await happens(...filed(11), resolved(11))
    const find = () => reportQueries(the.database).find(idOf(11))
    expect(await find()).toMatchObject({
      additionalInfo: 'words 11',
      resolution: { publicComment: 'Thank you' },
      profile: { bio: 'Cheap watches' },
    })
    await happens(erased(reporter))
    expect(await find()).toMatchObject({ additionalInfo: null, resolution: { publicComment: null }, profile })
    await happens(erased(reported))
    expect(await find()).toMatchObject({ reporterId: reporter, profile: null, messages: [], reportedAt: after(11) })
  })
})
