import type { IncomingHttpHeaders } from 'node:http'
import type { Answer, Headers } from './answer.js'
import { KeptFile, type Encoding } from './kept-file.js'

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
function encodingFor(accepted = ''): Encoding {
  const named = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
        return [coding, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))]
      }),
  )
  const isAccepted = (encoding: 'br' | 'gzip'): boolean => named.get(encoding) ?? named.get('*') ?? false
  if (isAccepted('br')) return 'br'
  return isAccepted('gzip') ? 'gzip' : 'identity'
}
