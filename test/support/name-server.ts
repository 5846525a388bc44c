import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

/** A name server on UDP, for look-ups of names of addresses. */
export interface NameServer {
  /** With its port, as DNS_SERVERS takes it. */
  readonly address: string
  /** The names that were asked for, in lower case, once for each question. */
  readonly asked: readonly string[]
  /** What it answers for a name in the form `1.2.0.192.in-addr.arpa`: names, or nothing at all. Default: no such name. */
  answer(name: string, answer: readonly string[] | 'silence'): void
  close(): Promise<void>
}

const header_bytes = 12
const isAnswer = 0x8180
const noSuchName = 3
const pointerType = 12
const internetClass = 1
const ttl_s = 60
/** Points to the name of the question. */
const questionName = 0xc000 + header_bytes

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const answers = new Map<string, readonly string[] | 'silence'>()
  const asked: string[] = []
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const { name, end } = questionIn(query)
    asked.push(name)
    const answer = answers.get(name)
    if (answer !== 'silence') socket.send(answerTo(query, end, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    answer: (name, answer) => void answers.set(name, answer),
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** The name that is asked for, and where the question ends (RFC 1035, 4.1.2). */
function questionIn(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = header_bytes
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

function answerTo(query: Buffer, questionEnd: number, names: readonly string[] | undefined): Buffer {
  const header = Buffer.alloc(header_bytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(names === undefined ? isAnswer | noSuchName : isAnswer, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(names?.length ?? 0, 6)
  return Buffer.concat([header, query.subarray(header_bytes, questionEnd), ...(names ?? []).map(pointerRecord)])
}

function pointerRecord(name: string): Buffer {
  const data = encodedName(name)
  const record = Buffer.alloc(12)
  record.writeUInt16BE(questionName, 0)
  record.writeUInt16BE(pointerType, 2)
  record.writeUInt16BE(internetClass, 4)
  record.writeUInt32BE(ttl_s, 6)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}

/** Labels may hold any bytes, whatever a host name may hold. */
function encodedName(name: string): Buffer {
  const labels = name.split('.').map((label) => {
    const bytes = Buffer.from(label, 'latin1')
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  })
  return Buffer.concat([...labels, Buffer.from([0])])
}
