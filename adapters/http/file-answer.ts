import type { IncomingHttpHeaders } from 'node:http'
import type { Answer, Headers } from './answer.ts'
import { weightedList } from './weighted-list.ts'
import { KeptFile, type Encoding } from './kept-file.ts'

/** An answer with a file. Without a word on caching, a cache asks each time whether the file has changed. */
export function fileAnswer(file: KeptFile, headers: Headers): Answer {
  return { status: 200, headers: { 'cache-control': 'no-cache', ...headers, vary: 'Accept-Encoding' }, body: file }
}

/** The answer as it is sent: a file in a form that the client reads, or 304 without a body if the client has it. */
export async function withFile(answer: Answer, asked: IncomingHttpHeaders): Promise<Answer> {
  const { status, headers, body } = answer
  if (!(body instanceof KeptFile)) return answer
  const tagged = { ...headers, etag: body.tag }
  if (isKnown(body.tag, asked['if-none-match'])) return { status: 304, headers: tagged, body: null }
  const encoding = encodingFor(asked['accept-encoding'])
  return {
    status,
    headers: encoding === 'identity' ? tagged : { ...tagged, 'content-encoding': encoding },
    body: await body.body(encoding),
  }
}

/** Compares as RFC 9110, 13.1.2 asks: `W/` makes no difference. */
function isKnown(tag: string, asked = ''): boolean {
  const opaque = (each: string): string => each.trim().replace(/^W\//, '')
  return asked.trim() === '*' || asked.split(',').some((each) => opaque(each) === opaque(tag))
}

/** The best form of those that Accept-Encoding names without `q=0` (RFC 9110, 12.5.3). */
function encodingFor(accepted: string | undefined): Encoding {
  const qualities = new Map(weightedList(accepted).map(({ name, quality }) => [name, quality]))
  const isAccepted = (encoding: 'br' | 'gzip'): boolean => (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0
  if (isAccepted('br')) return 'br'
  return isAccepted('gzip') ? 'gzip' : 'identity'
}
