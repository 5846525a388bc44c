import { accountId, pairId } from '../../../domain/ids/ids.js'
import { snowflake } from '../../../domain/ids/snowflake.js'
import { testContext } from '../../support/test-context.js'
import { befriend } from '../../operations/support/relationships.js'
import type { Payload } from '../../gateway/support/client.js'
import { connections } from '../../operations/support/connected.js'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.js'

/** A session that stays at the Gateway and is asked what it was told. */
export interface Ear {
  /** Every dispatch that is followed since it was last asked, up to this moment. */
  hear(): Promise<readonly Payload[]>
  end(): void
}

const heartbeat_ms = 20_000

/** Messages are no events, and join messages come when they come: those are left to their own tests. */
const elsewhere = /^(MESSAGE_|READY$|RELATIONSHIP_)/

/** Has a session at the Gateway until the end. */
export async function stayPresent(guildhall: TestGuildhall, account: Pick<TestAccount, 'token'>) {
  const { connect, end } = connections()
  const { client } = await connect(guildhall, account)
  const beats = setInterval(() => {
    client.send(1, client.sequence)
  }, heartbeat_ms)
  return {
    client,
    end() {
      clearInterval(beats)
      end()
    },
  }
}

/**
 * A session of an account. What it was told by a moment is known by a mark: the account renames a friend, which is an event after
 * all others, and is told after what they are told by.
 */
export async function earOf(guildhall: TestGuildhall, account: TestAccount, friend: TestAccount): Promise<Ear> {
  await befriend(guildhall, account, friend)
  const { client, end } = await stayPresent(guildhall, account)
  const between = { accountId: accountId(snowflake(account.id)), otherId: accountId(snowflake(friend.id)) }
  const pair = pairId(between.accountId, between.otherId)
  let marks = 0
  return {
    async hear() {
      marks += 1
      const nickname = `Mark ${marks}`
      const marking = { type: 'SetNickname', ...between, nickname } as const
      await guildhall.ports.aggregates.relationship.execute(pair, marking, testContext())
      const told = await client.until(({ t, d }) => t === 'RELATIONSHIP_UPDATE' && d['nickname'] === nickname, nickname)
      return told.filter(({ t }) => t !== undefined && !elsewhere.test(t))
    },
    end,
  }
}
