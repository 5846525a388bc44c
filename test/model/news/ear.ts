import { accountId, pairId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import { befriend } from '../../operations/support/relationships.ts'
import type { Payload } from '../../gateway/support/client.ts'
import { connections } from '../../operations/support/connected.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

/** A session that stays at the Gateway. The test asks it what it heard. */
export interface Ear {
  /** Every dispatch that the model follows since the last call, up to this moment. */
  hear(): Promise<readonly Payload[]>
  end(): void
}

const heartbeat_ms = 20_000

/** Messages are not events, and join messages come at any time: they have their own tests. */
const elsewhere = /^(MESSAGE_|READY$|RELATIONSHIP_)/

/** Keeps a session at the Gateway until the end. */
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
 * A session of an account. A mark shows when it has heard everything up to a moment: the test renames a friend, which is an event
 * after all others and is announced after them.
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
