"""What the rules about warps and waves share: where a file comes from, what a mask is worth."""
