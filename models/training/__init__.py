"""How the card reader learns: decks are drawn, laid on drawn tables and photographed by a drawn camera.

Nothing here is needed to run the table: ``python -m models.training`` makes the files beside this folder anew. One
card from the pen to the network: ``glyphs`` (a rank, a suit sign) → ``decks`` (a face and where its indices are) →
``scenes`` (cards on a table, seen by a camera, with the truth) → ``shards`` (scenes on disk) → ``finder`` and
``namer`` (the two networks and their lessons) → ``export`` (ONNX, card, hashes).
"""
