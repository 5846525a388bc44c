export interface RequestToSend {
  readonly method: string
  /** Begins with a slash. */
  readonly path: string
  readonly token?: string | undefined
  /** JSON. */
  readonly body?: string | undefined
}

/** The bytes of a request to a server on the loopback. */
export function rawRequest(port: number, { method, path, token, body }: RequestToSend): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(token === undefined ? [] : [`authorization: ${token}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
