import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ImageKind } from '../../domain/images/image-kinds.ts'
import type { ImageQueries } from '../../application/ports/queries/image-queries.ts'

const namedRow = z.object({ owner: z.string(), hash: z.string() })

type Fragment = ReturnType<typeof sql.fragment>
type Owners = readonly string[]

const ids = (owners: Owners): Fragment => sql.fragment`any(${sql.array([...owners], 'int8')})`

/** The images of guilds. All but icons are stored with their dimensions. */
const ofGuilds =
  (hash: Fragment) =>
  (owners: Owners): Fragment =>
    sql.fragment`select g.id::text as owner, ${hash} as hash from guilds.guilds g where g.id = ${ids(owners)}`

const ofAccounts =
  (hash: Fragment) =>
  (owners: Owners): Fragment =>
    sql.fragment`select a.id::text as owner, ${hash} as hash from accounts.accounts a where a.id = ${ids(owners)}`

/** The owner is a guild id and an account id joined by a hyphen. */
const ofMembers =
  (hash: Fragment) =>
  (owners: Owners): Fragment =>
    sql.fragment`
    select m.guild_id || '-' || m.account_id as owner, ${hash} as hash
    from unnest(${sql.array([...owners], 'text')}) as o (owner)
    join members.members m
      on m.guild_id = split_part(o.owner, '-', 1)::int8 and m.account_id = split_part(o.owner, '-', 2)::int8`

/** The owner is a guild id and the id of the emoji or sticker joined by a slash. Those that were deleted keep their images unless purged. */
const ofExpressions = (owners: Owners): Fragment =>
  sql.fragment`
    select e.guild_id || '/' || e.id as owner, e.image as hash
    from unnest(${sql.array([...owners], 'text')}) as o (owner)
    join expressions.expressions e
      on e.id = nullif(split_part(o.owner, '/', 2), '')::int8 and o.owner = e.guild_id || '/' || e.id`

const guildBanners = ofGuilds(sql.fragment`g.banner->>'hash'`)
const accountAvatars = ofAccounts(sql.fragment`a.avatar`)
/** Of those whose channels exist. */
const webhookAvatars = (owners: Owners): Fragment => sql.fragment`
  select w.id::text as owner, w.avatar as hash from webhooks.webhooks w
  join guilds.channels c on c.guild_id = w.guild_id and c.id = w.channel_id where w.id = ${ids(owners)}`
const accountBanners = ofAccounts(sql.fragment`a.banner`)

/** Where each kind of image is named. */
const namesOf: Readonly<Record<ImageKind, (owners: Owners) => Fragment>> = {
  icons: ofGuilds(sql.fragment`g.icon`),
  banners: (owners) => sql.fragment`${guildBanners(owners)} union all ${accountBanners(owners)}`,
  splashes: ofGuilds(sql.fragment`g.splash->>'hash'`),
  'embed-splashes': ofGuilds(sql.fragment`g.embed_splash->>'hash'`),
  avatars: (owners) => sql.fragment`${accountAvatars(owners)} union all ${webhookAvatars(owners)}`,
  'channel-icons': (owners) =>
    sql.fragment`
      select c.id::text as owner, c.icon as hash from private_channels.channels c where c.id = ${ids(owners)}`,
  'member-avatars': ofMembers(sql.fragment`m.avatar`),
  'member-banners': ofMembers(sql.fragment`m.banner`),
  emojis: ofExpressions,
  stickers: ofExpressions,
  // No read model holds the policy of the instance; history does.
  branding: () => sql.fragment`select null::text as owner, null::text as hash`,
}

/** Queries for the images named in the owners' read models. */
export function imageQueries(database: Queries): ImageQueries {
  return {
    named: (kind, owners) =>
      database.any(sql.type(namedRow)`
        select n.owner, n.hash from (${namesOf[kind](owners)}) n where n.hash is not null`),
  }
}
