/** A page as a browser without scripts has it. */
export interface OpenedPage {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where the browser goes on to by itself. */
  readonly goesTo: string | undefined
}

type Fields = Readonly<Record<string, string>>

/** Opens a URL. The fragment stays in the browser. */
export async function openPage(url: string, headers: Fields = {}): Promise<OpenedPage> {
  return opened(url, await fetch(url, { headers, redirect: 'manual' }))
}

/** Fills in a form of a page, the first by default, and sends it as browsers do: with what is already in it. */
export async function sendForm(page: OpenedPage, fields: Fields, headers: Fields = {}, index = 0): Promise<OpenedPage> {
  const action = /<form method="post" action="([^"]*)"/.exec(formsIn(page)[index] ?? '')?.[1]
  if (action === undefined) throw new Error(`There is no form at ${page.url}: ${page.text}`)
  const url = new URL(plain(action), page.url).href
  const body = new URLSearchParams({ ...fieldsIn(page, index), ...fields })
  return opened(url, await fetch(url, { method: 'POST', body, headers, redirect: 'manual' }))
}

/** The values of the inputs of a page's form, the first by default. */
export function fieldsIn(page: OpenedPage, index = 0): Fields {
  const form = formsIn(page)[index] ?? ''
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes)
  return Object.fromEntries(
    inputs.flatMap((attributes) => {
      const name = /(?<![a-z-])name="([^"]*)"/.exec(attributes)?.[1]
      const value = /value="([^"]*)"/.exec(attributes)?.[1]
      return name === undefined || value === undefined ? [] : [[name, plain(value)]]
    }),
  )
}

function formsIn({ text }: OpenedPage): readonly string[] {
  return text.match(/<form[^]*?<\/form>/g) ?? []
}

async function opened(url: string, response: Response): Promise<OpenedPage> {
  const text = await response.text()
  const goesTo = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1]
  const { status, headers } = response
  return { url, status, headers, text, goesTo: goesTo === undefined ? undefined : plain(goesTo) }
}

function plain(markup: string): string {
  return markup
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
