import { LRUCache } from 'lru-cache'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress, type AddressList } from '../../../../application/content-rules/address-list.ts'
import { networkOf, oneClient } from '../../../../domain/network/network-of.ts'
import type { ConnectionBounds } from './connection-bounds.ts'
import { idleConnections, type Connection, type IdleConnections } from './idle-connections.ts'

/** The connections of a server, including upgraded ones. */
export interface Connections {
  readonly count: number
  /** Starts to track the server's connections. Call it before the server listens. */
  keep(server: Server): void
  /**
   * Notes that a connection carries a request of a client, until the returned function is called. Undefined if a proxy already
   * carries as many requests of the client as one address may have connections.
   */
  carry(socket: Socket, client: string): (() => void) | undefined
  /** Notes that the client has shown a credential that resolved. */
  noteCredential(socket: Socket): void
  /** Whether a proxy sends the requests of this connection: they are of many clients. */
  isOfProxy(socket: Socket): boolean
  /** Closes a connection that sent more than it may. Its address gets no other one for `shut_ms`. */
  shut(socket: Socket): void
  /** Closes all connections. */
  close(): void
}

export interface ConnectionsSettings extends ConnectionBounds {
  /** Proxies, whose connections carry the requests of many clients. */
  readonly isProxy: AddressList
}

/**
 * Keeps the connections of a server within bounds. A connection above the limit of an address is closed at once. If all
 * slots are taken, the connection that is idle longest is closed, those without a credential first; a new connection
 * is closed only if none is idle. Connections through a proxy count for the client whose request they carry, while they
 * carry it.
 */
export function connectionsWithin(settings: ConnectionsSettings): Connections {
  return new OpenConnections(settings)
}

/** How long an address gets no connection after one of it was shut, and of how many addresses that is known. */
export const shut_ms = 10_000
const shutAddresses_max = 10_000

class OpenConnections implements Connections {
  readonly #settings: ConnectionsSettings
  readonly #open = new Map<Duplex, Connection>()
  readonly #ofAddress = new Map<string, number>()
  readonly #idle: IdleConnections
  /** Addresses that get no connection, until a time of performance.now(). */
  readonly #shut = new LRUCache<string, number>({ max: shutAddresses_max })

  constructor(settings: ConnectionsSettings) {
    this.#settings = settings
    this.#idle = idleConnections(() => this.#open.size, settings.all_max)
  }

  get count(): number {
    return this.#open.size
  }

  keep(server: Server): void {
    server.on('connection', (socket) => this.#begin(socket))
    onUpgrades(server, (socket) => {
      const connection = this.#open.get(socket)
      if (connection) this.#work(connection)
    })
  }

  carry(socket: Socket, client: string): (() => void) | undefined {
    const connection = this.#open.get(socket)
    const carried = connection?.address === undefined ? networkOf(client, oneClient) : undefined
    if (carried !== undefined && this.#isFull(carried)) return undefined
    if (carried !== undefined) this.#count(carried, 1)
    if (connection) this.#work(connection)
    return () => {
      if (carried !== undefined) this.#count(carried, -1)
      if (!connection) return
      connection.requests -= 1
      if (connection.requests === 0 && this.#open.has(socket)) this.#idle.add(connection)
    }
  }

  noteCredential(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection) connection.hasCredential = true
  }

  isOfProxy(socket: Socket): boolean {
    return this.#open.get(socket)?.address === undefined
  }

  shut(socket: Socket): void {
    const address = this.#open.get(socket)?.address
    // A proxy carries the requests of many clients: only the connection goes.
    if (address !== undefined) this.#shut.set(address, performance.now() + shut_ms)
    socket.destroy()
  }

  close(): void {
    this.#idle.close()
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #begin(socket: Socket): void {
    const plain = plainAddress(socket.remoteAddress ?? '') ?? 'unknown'
    const address = this.#settings.isProxy(plain) ? undefined : networkOf(plain, oneClient)
    const isOneTooMany = address !== undefined && (this.#isFull(address) || this.#isShut(address))
    if (isOneTooMany || (this.#open.size >= this.#settings.all_max && !this.#endIdle())) {
      socket.destroy()
      return
    }
    const connection: Connection = { socket, address, requests: 0, hasCredential: false }
    this.#open.set(socket, connection)
    if (address !== undefined) this.#count(address, 1)
    this.#idle.add(connection)
    socket.once('close', () => this.#forget(connection))
  }

  #work(connection: Connection): void {
    connection.requests += 1
    this.#idle.remove(connection)
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return
    this.#idle.remove(connection)
    if (connection.address !== undefined) this.#count(connection.address, -1)
  }

  /** Gives whether an idle connection was closed. Its slot is free at once. */
  #endIdle(): boolean {
    const longest = this.#idle.longest()
    if (!longest) return false
    this.#forget(longest)
    longest.socket.destroy()
    return true
  }

  #isShut(address: string): boolean {
    return (this.#shut.get(address) ?? 0) > performance.now()
  }

  #isFull(address: string): boolean {
    return (this.#ofAddress.get(address) ?? 0) >= this.#settings.address_max
  }

  #count(address: string, change: 1 | -1): void {
    const next = (this.#ofAddress.get(address) ?? 0) + change
    if (next === 0) this.#ofAddress.delete(address)
    else this.#ofAddress.set(address, next)
  }
}

/** Only if the server has another upgrade listener: without one, Node answers an upgrade request like any other. */
function onUpgrades(server: Server, note: (socket: Duplex) => void): void {
  const listen = (event: string | symbol): void => {
    if (event !== 'upgrade') return
    server.off('newListener', listen)
    server.on('upgrade', (_request, socket) => note(socket))
  }
  server.on('newListener', listen)
}
