import Box from '@mui/material/Box'

/**
 * What a stranger wrote. It is never markup, breaks anywhere rather than the page, and keeps its direction to itself: characters that
 * turn the direction of a text cannot turn what stands beside it.
 */
export function PlainText({ children }: { readonly children: string | null | undefined }) {
  if (children === null || children === undefined || children === '') return <span>–</span>
  return (
    <Box component="bdi" sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', unicodeBidi: 'isolate' }}>
      {children}
    </Box>
  )
}
