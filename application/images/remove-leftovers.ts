import { accountId, channelId, guildId, webhookId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { brandingAssets } from '../../domain/instance/policy.ts'
import { theInstance } from '../../domain/instance/state.ts'
import { secondsAfter, type Timestamp } from '../../domain/kernel/timestamp.ts'
import type { ImageLocation, KeptImage } from '../ports/images.ts'
import type { Ports } from '../ports.ts'

export type LeftoverNeeds = Pick<Ports, 'aggregates' | 'authorMessages' | 'images' | 'queries'>

/**
 * No work on an image takes this long before the image is named: a webhook's messages may name a picture for a day after it was
 * stored.
 */
const age_s_min = 26 * 3600

/**
 * Removes images that nothing names: those that a crashed process stored and did not yet name, or replaced and did not yet
 * remove, those of former members, and those of webhooks that neither the webhook nor a message shows any more. The read models find
 * the candidates; history and the messages confirm them. Gives the number of images removed (rules/webhooks#images).
 */
export function removeLeftoverImages(ports: LeftoverNeeds) {
  return async (now: Timestamp): Promise<number> => {
    const storedBefore = secondsAfter(now, -age_s_min)
    let removed_count = 0
    for await (const page of ports.images.kept()) {
      const old = page.filter(({ storedAt }) => storedAt < storedBefore)
      const candidates: KeptImage[] = []
      for (const image of await unnamedOf(ports, old))
        if (!isAmong(await hashesOf(ports, image), image.hash)) candidates.push(image)
      for (const image of await unshownOf(ports, candidates)) {
        await ports.images.remove(image, image.hash)
        removed_count += 1
      }
    }
    return removed_count
  }
}

/** Those images of a page that no read model names. All images of a page are of one kind. */
async function unnamedOf({ queries }: LeftoverNeeds, images: readonly KeptImage[]): Promise<readonly KeptImage[]> {
  const [first] = images
  if (!first) return []
  const owners = [...new Set(images.map(({ owner }) => owner))]
  const named = await queries.images.named(first.kind, owners)
  return images.filter(
    ({ owner, hash }) =>
      !isAmong(
        named.filter((name) => name.owner === owner).map((name) => name.hash),
        hash,
      ),
  )
}

/** Those of a page that no message shows as the image of the webhook that posted it. */
async function unshownOf(
  { authorMessages }: LeftoverNeeds,
  images: readonly KeptImage[],
): Promise<readonly KeptImage[]> {
  const ofAuthors = images.filter(({ kind }) => kind === 'avatars')
  if (ofAuthors.length === 0) return images
  const shown = await authorMessages.imagesShown(
    ofAuthors.flatMap(({ owner, hash }) => {
      const id = webhookId(snowflake(owner))
      return [
        { webhookId: id, hash },
        { webhookId: id, hash: `a_${hash}` },
      ]
    }),
  )
  return images.filter(
    (image) =>
      !isAmong(
        shown.filter((each) => each.webhookId === image.owner).map(({ hash }) => hash),
        image.hash,
      ),
  )
}

/** An animated image is also stored as a still one, under its hash without `a_`. */
function isAmong(hashes: readonly string[], hash: string): boolean {
  return hashes.includes(hash) || hashes.includes(`a_${hash}`)
}

/** The hashes of the owner's current images, by history. */
async function hashesOf({ aggregates }: LeftoverNeeds, { kind, owner }: ImageLocation): Promise<readonly string[]> {
  switch (kind) {
    case 'icons':
    case 'splashes':
    case 'embed-splashes':
      return ofGuild(aggregates, owner)
    case 'avatars':
      return [...(await ofAccount(aggregates, owner)), ...(await ofWebhook(aggregates, owner))]
    case 'banners':
      return [...(await ofGuild(aggregates, owner)), ...(await ofAccount(aggregates, owner))]
    case 'channel-icons': {
      const { state } = await aggregates.privateChannel.load(channelId(snowflake(owner)))
      return state.status === 'standing' ? present([state.icon]) : []
    }
    case 'member-avatars':
    case 'member-banners': {
      const { state } = await aggregates.membership.load(owner)
      return state.status === 'member' ? present([state.avatar, state.banner]) : []
    }
    case 'emojis':
    case 'stickers':
      return ofExpression(aggregates, owner)
    case 'branding': {
      const { state } = await aggregates.instance.load(theInstance)
      return present(brandingAssets.filter((asset) => asset === owner).map((asset) => state.changes.branding?.[asset]))
    }
  }
}

async function ofGuild({ guild }: Ports['aggregates'], owner: string): Promise<readonly string[]> {
  const { state } = await guild.load(guildId(snowflake(owner)))
  if (state.status !== 'active') return []
  const { icon, banner, splash, embedSplash } = state.settings
  return present([icon, banner?.hash, splash?.hash, embedSplash?.hash])
}

async function ofExpression({ guildExpressions }: Ports['aggregates'], owner: string): Promise<readonly string[]> {
  const [guild = '', wanted] = owner.split('/')
  const { state } = await guildExpressions.load(guild)
  if (state.status === 'dropped') return []
  return [...state.emojis, ...state.stickers].filter(({ id }) => id === wanted).map(({ image }) => image)
}

async function ofAccount({ account }: Ports['aggregates'], owner: string): Promise<readonly string[]> {
  const { state } = await account.load(accountId(snowflake(owner)))
  return state.status === 'registered' ? present([state.profile.avatar, state.profile.banner]) : []
}

/** Of a webhook whose channel is gone, nothing is shown any more. */
async function ofWebhook({ guild, webhook }: Ports['aggregates'], owner: string): Promise<readonly string[]> {
  const { state } = await webhook.load(owner)
  if (state.status !== 'created') return []
  const { state: its } = await guild.load(state.guildId)
  const isThere = its.status === 'active' && its.channels.some(({ id }) => id === state.channelId)
  return isThere ? present([state.avatar]) : []
}

function present(hashes: readonly (string | null | undefined)[]): readonly string[] {
  return hashes.flatMap((hash) => hash ?? [])
}
