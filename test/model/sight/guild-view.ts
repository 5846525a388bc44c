import { z } from 'zod'
import type { Payload } from '../../gateway/support/client.ts'
import type { TestAnswer } from '../../support/test-guildhall.ts'

type Named = readonly { readonly id: string; readonly name?: string | undefined }[]

const named = z.array(z.object({ id: z.string(), name: z.string().optional() }))
const guildShape = z.object({ channels: named, emojis: named, stickers: named })

/** What there is of a guild for somebody, sorted: ids of channels, and emojis and stickers with their names. */
export interface GuildView {
  readonly channels: readonly string[]
  readonly emojis: readonly string[]
  readonly stickers: readonly string[]
}

const nothing: GuildView = { channels: [], emojis: [], stickers: [] }
const idsOf = (list: Named): readonly string[] => list.map(({ id }) => id).toSorted()
const namesOf = (list: Named): readonly string[] => list.map(({ id, name }) => `${id} ${name}`).toSorted()

/** What HTTP shows of a guild. */
export async function viewOverHttp(guild: string, read: (path: string) => Promise<TestAnswer>): Promise<GuildView> {
  const listed = async (kind: keyof GuildView): Promise<Named> => {
    const { status, body } = await read(`/v1/guilds/${guild}/${kind}`)
    return status === 200 ? named.parse(body) : []
  }
  return {
    channels: idsOf(await listed('channels')),
    emojis: namesOf(await listed('emojis')),
    stickers: namesOf(await listed('stickers')),
  }
}

/** What a client shows of a guild after one more payload. A channel that it is told anything of, it shows. */
export function viewAfter(guild: string, view: GuildView, { t, d }: Payload): GuildView {
  const isHere = (t === 'GUILD_CREATE' || t === 'GUILD_DELETE' ? d['id'] : d['guild_id']) === guild
  switch (isHere ? t : undefined) {
    case 'GUILD_CREATE':
      return wholeView(d)
    case 'GUILD_DELETE':
      return nothing
    case 'GUILD_EMOJIS_UPDATE':
      return { ...view, emojis: namesOf(named.parse(d['emojis'])) }
    case 'GUILD_STICKERS_UPDATE':
      return { ...view, stickers: namesOf(named.parse(d['stickers'])) }
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
      return { ...view, channels: [...new Set([...view.channels, String(d['id'])])].toSorted() }
    case 'CHANNEL_DELETE':
      return { ...view, channels: view.channels.filter((id) => id !== d['id']) }
    default:
      return view
  }
}

/** What a client shows of a guild that it was told of as a whole. */
export function wholeView(told: unknown): GuildView {
  const { channels, emojis, stickers } = guildShape.parse(told)
  return { channels: idsOf(channels), emojis: namesOf(emojis), stickers: namesOf(stickers) }
}
