/** Ends the command in order, as SIGTERM does, once nobody reads its output any more: `guildhall watch | head`. */
export function endWithReader(): void {
  let isEnding = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (isEnding) return
    isEnding = true
    process.kill(process.pid, 'SIGTERM')
  })
}
