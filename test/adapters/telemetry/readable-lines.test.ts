import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { openLogger } from '../../../adapters/telemetry/open-logger.ts'
import { readableLines } from '../../../adapters/telemetry/readable-lines.ts'

/** What a terminal would get. */
async function shown(write: (logger: ReturnType<typeof openLogger>) => void): Promise<string> {
  const texts: string[] = []
  const terminal = new Writable({
    write(chunk, _, done) {
      texts.push(String(chunk))
      done()
    },
  })
  write(openLogger('info', readableLines(false, terminal)))
  await expect.poll(() => texts.length).toBeGreaterThan(0)
  return texts.join('')
}

it('readable lines have the time, the level, the message and what belongs to it', async () => {
  expect(await shown((logger) => logger.warn({ url: 'http://localhost' }, 'ready'))).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\]: warn ready \{"url":"http:\/\/localhost"\}\n$/,
  )
})

it('readable lines show the stack of an error', async () => {
  const text = await shown((logger) => logger.error(new Error('the disk is full')))
  expect(text).toContain('error the disk is full')
  expect(text).toContain('    at ')
})

it('readable lines hold no secret', async () => {
  expect(await shown((logger) => logger.info({ password: 'canary' }, `token gld_${'aB3'.repeat(12)}`))).not.toMatch(
    /canary|gld_/,
  )
})

it('readable lines give a terminal no control characters, whoever chose the text', async () => {
  const hostile = '\u001b]0;owned\u0007\u009b2J\u007f\\\u001b[1m'
  const text = await shown((logger) => logger.info({ name: hostile, err: new Error(hostile) }, hostile))
  expect(text).toContain('?]0;owned?')
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
