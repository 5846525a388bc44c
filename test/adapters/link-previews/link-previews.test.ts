import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noLinkPreviews, openLinkPreviews } from '../../../adapters/link-previews/open-link-previews.ts'
import { allowedAddresses } from '../../../adapters/link-previews/public-addresses.ts'

const open = openLinkPreviews(['127.0.0.0/8'])
const asked: string[] = []

const page = (head: string) => `<!doctype html><html><head>${head}</head><body><title>Of the body</title></body></html>`
const answers: Readonly<Record<string, RequestListener>> = {
  '/plain': (_, answer) => answer.setHeader('content-type', 'text/html').end(page('<title> A &amp; B </title>')),
  '/whole': (_, answer) =>
    answer.setHeader('content-type', 'text/html; charset=utf-8').end(
      page(`<title>No</title><meta property="og:title" content="Title"><meta property="og:type" content="article">
        <meta name="description" content="${'x'.repeat(5000)}"><meta property="og:site_name" content="Site">
        <meta property="og:image" content="/image.png">`),
    ),
  '/latin': (_, answer) =>
    answer
      .setHeader('content-type', 'text/html; charset=iso-8859-1')
      .end(Buffer.from(page('<title>Caf\xe9</title>'), 'latin1')),
  '/image': (_, answer) => answer.setHeader('content-type', 'image/png').end('bytes'),
  '/untyped': (_, answer) => answer.end('bytes'),
  '/to-image': (_, answer) => answer.writeHead(307, { location: '/image' }).end(),
  '/huge': (_, answer) =>
    answer.writeHead(200, { 'content-type': 'image/png', 'content-length': 8 * 1024 * 1024 + 1 }).end(),
  '/endless-image': (_, answer) => {
    answer.setHeader('content-type', 'image/png')
    const more = () => {
      while (!answer.destroyed && answer.write('x'.repeat(65_536)));
    }
    answer.on('drain', more)
    more()
  },
  '/text': (_, answer) => answer.setHeader('content-type', 'text/plain').end('<title>Text</title>'),
  '/hostile': (_, answer) =>
    answer
      .setHeader('content-type', 'text/html')
      .end(page('<meta property="og:image" content="javascript:alert(1)"><title>\u202e\u200b</title>')),
  '/hop': (_, answer) => answer.writeHead(302, { location: '/plain' }).end(),
  '/loop': (_, answer) => answer.writeHead(302, { location: '/loop' }).end(),
  '/inside': (_, answer) => answer.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/file': (_, answer) => answer.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/endless': (request, answer) => {
    answer.setHeader('content-type', 'text/html').write('<html><head>')
    const more = () => {
      while (!request.socket.destroyed && answer.write(`<!-- ${'x'.repeat(65_536)} -->`));
    }
    answer.on('drain', more)
    more()
  },
}
const server = createServer((request, answer) => {
  asked.push(request.url ?? '')
  const known = answers[request.url ?? '']
  if (known) known(request, answer)
  else answer.writeHead(404, { 'content-type': 'text/html' }).end(page('<title>Gone</title>'))
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const never = new AbortController().signal
const preview = (path: string) => open.of(`${base}${path}`, never)

describe('the preview of a page', () => {
  it('is its title, of the text that it shows', async () => {
    expect(await preview('/plain')).toStrictEqual({ type: 'link', url: `${base}/plain`, color: 0, title: 'A & B' })
    expect(await preview('/latin')).toMatchObject({ title: 'Café' })
  })

  it('prefers what the page says for previews, within the bounds of embeds', async () => {
    const whole = await preview('/whole')
    expect(whole).toMatchObject({
      type: 'article',
      title: 'Title',
      thumbnail: { url: `${base}/image.png` },
      provider: { name: 'Site', url: base },
    })
    expect(whole?.description).toHaveLength(4096)
  })

  it('is a picture for a link to one, and follows redirects', async () => {
    expect(await preview('/image')).toMatchObject({ type: 'image', thumbnail: { url: `${base}/image` } })
    expect(await preview('/hop')).toMatchObject({ title: 'A & B', url: `${base}/hop` })
  })

  it.each(['/text', '/hostile', '/loop', '/inside', '/file', '/endless', '/absent'])('is none for %s', async (path) => {
    expect(await preview(path)).toBeUndefined()
  })

  it('is none where nobody answers, and rejects once the work is aborted', async () => {
    expect(await open.of('http://127.0.0.1:1/', never)).toBeUndefined()
    await expect(open.of(`${base}/plain`, AbortSignal.abort())).rejects.toThrow('aborted')
  })
})

describe('a picture', () => {
  const picture = async (path: string) => {
    const bytes = await open.picture(`${base}${path}`)
    return bytes && Buffer.from(bytes).toString()
  }

  it('is whatever a server calls one, or does not name, and follows redirects', async () => {
    for (const path of ['/image', '/untyped', '/to-image']) expect(await picture(path)).toBe('bytes')
  })

  it.each(['/plain', '/loop', '/inside', '/file', '/huge', '/endless-image', '/absent'])(
    'is none at %s',
    async (path) => {
      expect(await picture(path)).toBeUndefined()
    },
  )

  it('is none where nobody answers or nobody may be asked', async () => {
    expect(await open.picture('http://127.0.0.1:1/')).toBeUndefined()
    const before = asked.length
    expect(await openLinkPreviews([]).picture(`${base}/image`)).toBeUndefined()
    expect(await noLinkPreviews.picture(`${base}/image`)).toBeUndefined()
    expect(asked).toHaveLength(before)
  })
})

describe('an instance that allows no network of its own', () => {
  it.each([
    'http://127.0.0.1:PORT/plain',
    'http://localhost:PORT/plain',
    'http://2130706433:PORT/plain',
    'http://0x7f.1:PORT/plain',
    'http://[::1]:PORT/plain',
    'http://[::ffff:127.0.0.1]:PORT/plain',
    'http://user@127.0.0.1:PORT/plain',
  ])('asks nobody at %s', async (address) => {
    const before = asked.length
    const url = address.replace('PORT', new URL(base).port)
    expect(await openLinkPreviews([]).of(url, never)).toBeUndefined()
    expect(asked).toHaveLength(before)
  })

  it('asks public addresses alone', () => {
    const isAllowed = allowedAddresses([])
    const refused =
      '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.2.1 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fc00::1 fe80::1 ff02::1 2001:db8::1 64:ff9b::7f00:1 64:ff9b::a00:1 2002:7f00:1:: ::ffff:10.0.0.1 ::7f00:1 1::1 4000::1 100:0:0:1::1 64:ff9b::808:808 2002:808:808::1 text'
    expect(refused.split(' ').filter(isAllowed)).toStrictEqual([])
    expect(['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111'].filter(isAllowed)).toHaveLength(3)
  })
})
