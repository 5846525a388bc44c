import type { DiscoveryClaim, DiscoveryClaims } from '../../application/ports/discovery-claims.ts'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

interface ClaimColumns {
  readonly guild_id: GuildId
  readonly claimed_by: AccountId
  readonly claimed_until: Timestamp
}

const claimRow = rowOf((row: ClaimColumns): DiscoveryClaim => ({
  guildId: row.guild_id,
  by: row.claimed_by,
  until: row.claimed_until,
}))
const nothing = rowOf(() => undefined)

/** How often a claim is taken again that another administrator released in between. */
const tries_max = 3

/** Claims in the schema `discovery_claims`. */
export function postgresDiscoveryClaims(database: Queries): DiscoveryClaims {
  const running: DiscoveryClaims['running'] = (guilds, now) =>
    database.any(sql.type(claimRow)`
      select guild_id, claimed_by, claimed_until from discovery_claims.claims
      where guild_id = any(${sql.array(guilds, 'int8')}) and claimed_until > ${now}::timestamptz`)
  return {
    running,
    async claim(wanted, now) {
      for (let tries = 0; tries < tries_max; tries += 1) {
        await take(database, wanted, now)
        const [claim] = await running([wanted.guildId], now)
        if (claim) return claim
      }
      return wanted
    },
    async release({ guildId, by }) {
      await database.any(sql.type(nothing)`
        delete from discovery_claims.claims where guild_id = ${guildId} and claimed_by = ${by}`)
    },
  }
}

async function take(database: Queries, { guildId, by, until }: DiscoveryClaim, now: Timestamp): Promise<void> {
  await database.any(sql.type(nothing)`
    with ended as (
      delete from discovery_claims.claims where claimed_until <= ${now}::timestamptz and guild_id <> ${guildId}::int8)
    insert into discovery_claims.claims as c (guild_id, claimed_by, claimed_until)
    values (${guildId}, ${by}, ${until})
    on conflict (guild_id) do update
    set claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
    where c.claimed_by = excluded.claimed_by or c.claimed_until <= ${now}::timestamptz`)
}
