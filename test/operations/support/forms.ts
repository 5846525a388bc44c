import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { messagesPath } from './messages.ts'

/** A part of a form: a text, or a file with its name. */
export type FormPart = readonly [
  name: string,
  value: string | { readonly filename: string; readonly bytes: Uint8Array },
]

/** Sends a message as a form; to another path if one is given. */
export async function sendForm(
  { url }: Pick<TestGuildhall, 'url'>,
  { token }: { readonly token: string },
  channel: string,
  parts: readonly FormPart[],
  {
    method = 'POST',
    path = messagesPath(channel),
    headers = {},
  }: {
    readonly method?: 'POST' | 'PATCH'
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<TestAnswer> {
  const form = new FormData()
  for (const [name, value] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value.bytes)]), value.filename)
  const sent = { method, headers: { ...headers, authorization: token }, body: form } as const
  const answer = await fetch(`${url}${path}`, sent)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export const payload = (body: object): FormPart => ['payload_json', JSON.stringify(body)]
export const file = (name: string, filename: string, content: string | Uint8Array): FormPart => [
  name,
  { filename, bytes: typeof content === 'string' ? Buffer.from(content) : content },
]
