import type { AccountId, ChannelId, GuildId } from '../ids/ids.ts'
import { foldedWord } from '../text/folded-word.ts'
import { searchWordsOfName, wantedWords } from '../text/search-words.ts'
import type { Attachment } from './attachments.ts'
import { filesOf, type Embed } from './embeds.ts'
import { everyLinkIn } from './links.ts'
import { messageFlags } from './message-flags.ts'
import type { MessageParts, MessageSnapshot } from './parts.ts'

/** What a search may ask for besides words. Nothing here has a poll. */
export const soughtKinds = ['image', 'sound', 'video', 'file', 'sticker', 'embed', 'link', 'poll', 'snapshot'] as const
export type SoughtKind = (typeof soughtKinds)[number]

/** What embeds can be searched by. */
export const soughtEmbedTypes = ['image', 'video', 'sound', 'article'] as const
export type SoughtEmbedType = (typeof soughtEmbedTypes)[number]

/** The parts of a message by which it is found. */
export interface SearchableMessage extends Pick<MessageParts, 'embeds' | 'attachments' | 'stickers' | 'snapshots'> {
  readonly channelId: ChannelId
  readonly guildId: GuildId | null
  readonly flags: number
  readonly content: string
  readonly mentions: readonly AccountId[]
}

/** No file has a longer name, but a search may ask for one: Postgres takes no term of more than 2046 bytes. */
const filename_characters_max = 500

/**
 * Terms other than words. Each begins with its kind and a colon, which no word has: so words and terms stand in one index, and one
 * question to it may ask for both.
 */
export const searchTerms = {
  channel: (id: ChannelId) => `c:${id}`,
  guild: (id: GuildId) => `g:${id}`,
  mention: (id: AccountId) => `m:${id}`,
  has: (kind: SoughtKind) => `has:${kind}`,
  embedType: (type: SoughtEmbedType) => `embed:${type}`,
  embedProvider: (name: string) => `by:${name}`,
  linkHost: (host: string) => `host:${host}`,
  filename: (name: string) => `name:${Array.from(name).slice(0, filename_characters_max).join('')}`,
  extension: (extension: string) => `ext:${extension}`,
} as const

const host = /^https?:\/\/(?:[^/?#@]*@)?(?<host>[^/?#:@]{1,255})/i
/** More words of one message are not searched. */
const words_max = 8000
/** Each of these is one or two words at most in scripts without spaces. */
const piece_characters = 150
const extension_max = 10

/**
 * The terms by which a message is found: the words of its text and of the embeds that it shows, and of what it forwards; its place,
 * whom it mentions, its files, links and embeds. See rules/messages#search.
 */
export function searchTermsOf(message: SearchableMessage): readonly string[] {
  const { channelId, guildId, mentions, snapshots } = message
  const shown = [message, ...snapshots].map((each) => (isSuppressed(each) ? { ...each, embeds: [] } : each))
  const texts = shown.flatMap(({ content, embeds }) => [content, ...embeds.flatMap(textsOf)])
  const words = new Set(texts.flatMap(pieces).flatMap(searchWordsOfName).map(foldedWord))
  return [
    ...new Set([
      ...[...words].slice(0, words_max),
      searchTerms.channel(channelId),
      ...(guildId === null ? [] : [searchTerms.guild(guildId)]),
      ...mentions.map(searchTerms.mention),
      ...(snapshots.length === 0 ? [] : [searchTerms.has('snapshot')]),
      ...shown.flatMap(termsOf),
    ]),
  ]
}

/** The words by which somebody looks for messages, each among the terms of a message that has it, whatever marks either has. */
export function wantedTermsOf(query: string): readonly string[] {
  return wantedWords(query).map(foldedWord)
}

/** The words of a long text are many: it is taken in pieces, which break at spaces, or overlap where there are none. */
function pieces(text: string): readonly string[] {
  const found: string[] = []
  let piece = ''
  for (const part of text.split(/\s+/u)) {
    const characters = Array.from(part)
    for (let at = 0; at === 0 || at < characters.length - 1; at += piece_characters) {
      const some = characters.slice(at, at + piece_characters + 1).join('')
      if (piece.length + some.length > piece_characters) {
        found.push(piece)
        piece = some
      } else piece = `${piece} ${some}`
    }
  }
  return [...found, piece]
}

function isSuppressed({ flags }: Pick<MessageSnapshot, 'flags'>): boolean {
  return (flags & messageFlags.SUPPRESS_EMBEDS) !== 0
}

/** The texts of an embed by which its message is found. */
export function textsOf({ title, description, author, footer, provider, fields = [] }: Embed): readonly string[] {
  const texts = [title, description, author?.name, footer?.text, provider?.name]
  return [...texts, ...fields.flatMap(({ name, value }) => [name, value])].flatMap((text) => text ?? [])
}

function termsOf(shown: Pick<MessageSnapshot, 'content' | 'embeds' | 'attachments' | 'stickers'>): readonly string[] {
  const { content, embeds, stickers = [] } = shown
  const links = everyLinkIn(content)
  return [
    ...filesOf(shown).flatMap(termsOfFile),
    ...(stickers.length === 0 ? [] : [searchTerms.has('sticker')]),
    ...(embeds.length === 0 ? [] : [searchTerms.has('embed')]),
    ...embeds.flatMap(termsOfEmbed),
    ...(links.length === 0 ? [] : [searchTerms.has('link')]),
    ...links.flatMap((link) => hostOf(link).map(searchTerms.linkHost)),
  ]
}

function hostOf(link: string): readonly string[] {
  const name = host.exec(link)?.groups?.['host']
  return name === undefined ? [] : [name.toLowerCase()]
}

function termsOfFile({ filename, contentType }: Attachment): readonly string[] {
  const kinds = [
    ['image/', 'image'],
    ['audio/', 'sound'],
    ['video/', 'video'],
  ] as const
  const extension = filename.includes('.') ? filename.slice(filename.lastIndexOf('.') + 1).toLowerCase() : ''
  return [
    searchTerms.has('file'),
    ...kinds.flatMap(([prefix, kind]) => (contentType.startsWith(prefix) ? [searchTerms.has(kind)] : [])),
    searchTerms.filename(filename),
    ...(extension === '' || extension.length > extension_max ? [] : [searchTerms.extension(extension)]),
  ]
}

function termsOfEmbed({ type, image, thumbnail, provider }: Embed): readonly string[] {
  return [
    ...(image || thumbnail || type === 'image' ? [searchTerms.embedType('image'), searchTerms.has('image')] : []),
    ...(type === 'article' ? [searchTerms.embedType('article')] : []),
    ...(provider ? [searchTerms.embedProvider(provider.name)] : []),
  ]
}
