import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

describe('The TCP proxy', () => {
  let server: Server
  let proxy: TcpProxy
  /** What the server has received, over all connections. */
  let got: string
  let sockets: Socket[]
  beforeEach(async () => {
    got = ''
    sockets = []
    server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        got += chunk.toString()
        socket.write(`echo ${chunk.toString()}`)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    proxy = await startTcpProxy({ target: typeof address === 'object' && address ? address.port : 0 })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await proxy.close()
    server.close()
  })

  function client() {
    const socket = connect(proxy.port, '127.0.0.1')
    const heard = { text: '', error: '' }
    socket.on('data', (chunk) => (heard.text += chunk.toString()))
    socket.on('error', (error: NodeJS.ErrnoException) => (heard.error = error.code ?? ''))
    sockets.push(socket)
    return { socket, heard }
  }

  it('passes on what both sides say', async () => {
    const { socket, heard } = client()
    socket.write('hello')
    await expect.poll(() => heard.text).toBe('echo hello')
    expect([proxy.connections, proxy.resets]).toEqual([1, 0])
  })

  it('resets a connection after so many bytes of a request, which the server has got, and whose answer goes nowhere', async () => {
    const { socket, heard } = client()
    const done = proxy.resetAfter(8)
    socket.write('hello')
    await expect.poll(() => heard.text).toBe('echo hello')
    socket.write(' world')
    await done
    await expect.poll(() => heard.error).toBe('ECONNRESET')
    await expect.poll(() => got).toBe('hello wo')
    expect(heard.text).toBe('echo hello')
    expect([proxy.connections, proxy.resets]).toEqual([0, 1])
    const next = client()
    next.socket.write('again')
    await expect.poll(() => next.heard.text).toBe('echo again')
  })

  it('takes connections while it stalls, and passes on what waits when it goes on', async () => {
    const early = client()
    early.socket.write('one')
    await expect.poll(() => early.heard.text).toBe('echo one')
    proxy.stall()
    const late = client()
    await once(late.socket, 'connect')
    early.socket.write('two')
    late.socket.write('three')
    await expect.poll(() => proxy.connections).toBe(2)
    expect([got, early.heard.text, late.heard.text]).toEqual(['one', 'echo one', ''])
    proxy.goOn()
    await expect.poll(() => early.heard.text).toBe('echo oneecho two')
    await expect.poll(() => late.heard.text).toBe('echo three')
  })

  it('resets every connection and takes new ones', async () => {
    const clients = [client(), client()]
    for (const { socket } of clients) socket.write('x')
    await expect.poll(() => clients.map(({ heard }) => heard.text)).toEqual(['echo x', 'echo x'])
    proxy.reset()
    await expect.poll(() => clients.map(({ heard }) => heard.error)).toEqual(['ECONNRESET', 'ECONNRESET'])
    const { socket, heard } = client()
    socket.write('y')
    await expect.poll(() => heard.text).toBe('echo y')
  })
})
