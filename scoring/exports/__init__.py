"""What leaves the book as tables for a spreadsheet."""
