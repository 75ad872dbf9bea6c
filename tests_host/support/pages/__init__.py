"""The pages of docs/ and of the site: their code blocks, and what reads them in a browser."""
