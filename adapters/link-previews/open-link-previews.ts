import { turns } from '../../application/concurrency/turns.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import type { LinkPreviews } from '../../application/ports/link-previews.ts'
import type { Embed } from '../../domain/messages/embeds.ts'
import { isStorable, visible } from '../../domain/text/normalise.ts'
import { fetchPage, type Page } from './fetch-page.ts'
import { readFacts, type PageFacts } from './page-facts.ts'
import { allowedAddresses } from './public-addresses.ts'
import { readPicture } from './read-picture.ts'

/** The most milliseconds for one link, its redirects and all. */
export const preview_ms_max = 12_000
/** Each may hold the bytes of a picture. */
const pictures = { atOnce_max: 16, waiting_max: 256 } as const
const title_units_max = 256
const description_units_max = 4096
const url_units_max = 2048
const html = /^(?:text\/html|application\/xhtml\+xml)\b/i
const picture = /^image\/(?:png|jpeg|webp|gif)\b/i

/** Fetches pages from addresses of the public internet, and from `networks` (rules/messages#link-previews). */
export function openLinkPreviews(networks: readonly string[]): LinkPreviews {
  const isAllowed = allowedAddresses(networks)
  const fetching = turns(pictures)
  return {
    isOn: true,
    async of(url, signal) {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(preview_ms_max)])
      try {
        const page = await fetchPage(url, isAllowed, ending)
        return page && (await previewOf(url, page))
      } catch (error) {
        if (signal.aborted) throw error
        return undefined
      }
    },
    async picture(url) {
      if (!(await fetching.next(preview_ms_max))) throw new Unavailable('too many pictures are fetched')
      try {
        const page = await fetchPage(url, isAllowed, AbortSignal.timeout(preview_ms_max), 'image/*')
        return page && (await readPicture(page))
      } catch (error) {
        // Whatever became of the connection.
        if (!(error instanceof Error)) throw error
        return undefined
      } finally {
        fetching.done()
      }
    },
  }
}

/** Never fetches anything. */
export const noLinkPreviews: LinkPreviews = {
  isOn: false,
  of: async () => undefined,
  picture: async () => undefined,
}

async function previewOf(link: string, { url, contentType, body }: Page): Promise<Embed | undefined> {
  try {
    if (picture.test(contentType)) return { type: 'image', url: link, color: 0, thumbnail: { url: url.href } }
    if (!html.test(contentType)) return undefined
    const charset = /charset="?([^\s;"]+)/i.exec(contentType)?.[1]
    return embedOf(link, url, await readFacts(body, charset))
  } finally {
    body.destroy()
  }
}

/** Undefined for a page that says nothing of itself. */
function embedOf(link: string, url: URL, facts: PageFacts): Embed | undefined {
  const first = (units_max: number, ...names: readonly string[]): string | undefined =>
    names.map((name) => textOf(facts.get(name), units_max)).find((text) => text !== undefined)
  const title = first(title_units_max, 'og:title', 'twitter:title', 'title')
  const description = first(description_units_max, 'og:description', 'twitter:description', 'description')
  const image = addressOf(facts.get('og:image') ?? facts.get('twitter:image'), url)
  const site = first(title_units_max, 'og:site_name')
  if (title === undefined && description === undefined && image === undefined) return undefined
  return {
    type: facts.get('og:type')?.toLowerCase() === 'article' ? 'article' : 'link',
    url: link,
    color: 0,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(image === undefined ? {} : { thumbnail: { url: image } }),
    ...(site === undefined ? {} : { provider: { name: site, url: url.origin } }),
  }
}

function textOf(text: string | undefined, units_max: number): string | undefined {
  if (text === undefined) return undefined
  const shown = visible(text)
  const cut = shown.length > units_max ? `${shown.slice(0, units_max - 1).replace(/[\ud800-\udbff]$/, '')}…` : shown
  return cut !== '' && isStorable(cut) ? cut : undefined
}

function addressOf(text: string | undefined, base: URL): string | undefined {
  if (text === undefined || !URL.canParse(text, base.href)) return undefined
  const { href, protocol } = new URL(text, base)
  return (protocol === 'http:' || protocol === 'https:') && href.length <= url_units_max ? href : undefined
}
