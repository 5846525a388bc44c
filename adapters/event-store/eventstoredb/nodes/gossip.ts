import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { isIP } from 'node:net'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import { EventStoreUnavailable, failureOf } from '../failures.ts'
import type { Security } from './connection-string.ts'
import { textOf, type Endpoint } from './endpoints.ts'

/** A node of a cluster, as another node describes it. */
export interface Member {
  readonly endpoint: Endpoint
  /** Whether it is alive and leads. */
  readonly leads: boolean
}

export interface Asking {
  /** The TLS settings; undefined without TLS. */
  readonly security: Security | undefined
  readonly atMost_ms: number
  /** Cancels the request. */
  readonly signal: AbortSignal
}

const path = '/event_store.client.gossip.Gossip/Read'
/** The prefix of a gRPC message: a byte for "not compressed", then its length in four bytes. The request's message is empty. */
const prefixBytes = 5
const question = Buffer.alloc(prefixBytes)
/** The answer takes some 200 bytes for each node of a cluster. */
const answerBytes_max = 1024 * 1024

/**
 * Asks a node which nodes are in its cluster, over a connection of its own. Gives an empty list if the node answers without
 * telling. Rejects with EventStoreUnavailable if it does not connect or answer within `atMost_ms`.
 *
 * This avoids the gRPC library, which keeps the socket of a connection attempt as long as the server hangs.
 */
export function askGossip(node: Endpoint, { security, atMost_ms, signal }: Asking): Promise<readonly Member[]> {
  return new Promise((resolve, reject) => {
    const session = sessionOf(node, security)
    const settle = (end: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', breakOff)
      session.destroy()
      end()
    }
    const fail = (error: unknown): void => settle(() => reject(failureOf(error)))
    const timer = setTimeout(
      () => fail(new EventStoreUnavailable(`${textOf(node)} gave no answer within ${atMost_ms} ms`)),
      atMost_ms,
    )
    const breakOff = (): void => fail(new EventStoreUnavailable(`${textOf(node)} is not asked any more`))
    signal.addEventListener('abort', breakOff)
    session.on('error', fail)
    session.once('close', () => fail(new EventStoreUnavailable(`${textOf(node)} ended the connection`)))
    try {
      const request = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      request.on('error', fail)
      answerOf(request, (members) => settle(() => resolve(members)))
      request.end(question)
    } catch (error) {
      fail(error)
    }
  })
}

function sessionOf({ host, port, certifiedAs }: Endpoint, security: Security | undefined): ClientHttp2Session {
  const address = textOf({ host, port })
  if (!security) return connect(`http://${address}`)
  const { authority, own } = security
  const name = certifiedAs ?? host
  return connect(`https://${address}`, {
    // TLS can't use an address as a server name.
    servername: isIP(name) === 0 ? name : '',
    ...(authority && { ca: authority }),
    ...(own && { cert: own.certificate, key: own.key }),
  })
}

/** Any answer shows that the node is alive. A correct answer has one message, with the members. */
function answerOf(request: ClientHttp2Stream, onAnswer: (members: readonly Member[]) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= answerBytes_max) chunks.push(chunk)
  })
  let isAnswered = false
  request.once('response', () => (isAnswered = true))
  request.once('end', () => {
    if (isAnswered) onAnswer(bytes > answerBytes_max ? [] : membersIn(Buffer.concat(chunks)))
  })
}

function membersIn(answer: Buffer): readonly Member[] {
  if (answer.length < prefixBytes || answer[0] !== 0) return []
  const length = answer.readUInt32BE(1)
  const message = answer.subarray(prefixBytes, prefixBytes + length)
  return message.length < length ? [] : gossip.ClusterInfo.deserializeBinary(message).getMembersList().flatMap(memberOf)
}

function memberOf(info: gossip.MemberInfo): readonly Member[] {
  const at = info.getHttpEndPoint()
  if (!at) return []
  const leads = info.getIsAlive() && info.getState() === gossip.MemberInfo.VNodeState.LEADER
  return [{ endpoint: { host: at.getAddress(), port: at.getPort() }, leads }]
}
